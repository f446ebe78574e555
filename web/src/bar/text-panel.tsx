import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { t } from '../words/translate.ts'
import { Verb } from './verb.tsx'
import './text-panel.css'

interface Props {
  label: string
  /** What becomes of the text, if the label does not say so. */
  hint?: ReactNode
  value: string
  onChange: (value: string) => void
  verb: string
  look?: 'primary' | 'bad'
  /** What to say if it is sent empty; null if it may be empty. */
  needed: string | null
  problem?: string | null
  busy?: boolean
  onSubmit: () => void
  onCancel: () => void
  children?: ReactNode
}

/** A text field in the bar, instead of its verbs. Ctrl-Enter sends, Escape goes back to the verbs. */
export function TextPanel(props: Props) {
  const { label, hint, value, verb, look = 'primary', needed, busy = false, onChange, onCancel, children } = props
  const [missing, setMissing] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the field inside
    <div className="text-panel" onKeyDown={press}>
      <AutoSizeTextarea
        labelled
        focus
        label={label}
        value={value}
        rows={2}
        onChange={text => {
          setMissing(false)
          onChange(text)
        }}
      />
      {hint !== undefined && <p className="quiet">{hint}</p>}
      <ErrorMessage text={missing ? needed : (props.problem ?? null)} />
      <div className="text-panel-verbs">
        <Verb look={look} busy={busy} onPress={submit}>
          {verb}
        </Verb>
        <Verb look="quiet" onPress={onCancel}>
          {t('Cancel')}
        </Verb>
        <span className="text-panel-keys" aria-hidden="true">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
        {children}
      </div>
    </div>
  )

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onCancel()
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
    // The form around it must not be sent as well.
    event.preventDefault()
    event.stopPropagation()
    submit()
  }

  function submit() {
    if (busy) return
    if (needed !== null && value.trim() === '') setMissing(true)
    else props.onSubmit()
  }
}
