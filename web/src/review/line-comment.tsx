import { type KeyboardEvent, useRef } from 'react'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { UntrustedLines } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'

interface Props {
  text: string
  label: string
  isEditing: boolean
  onChange: ((text: string) => void) | undefined
  onEdit: () => void
  onDone: () => void
}

/** A comment below its line. What is typed is in the draft at once, so leaving loses nothing. */
export function LineCommentView({ text, label, isEditing, onChange, onEdit, onDone }: Props) {
  const box = useRef<HTMLDivElement>(null)
  if (!isEditing || !onChange) {
    return (
      <div className="line-comment">
        <p dir="auto">
          <UntrustedLines text={text} />
        </p>
        {onChange && (
          <div className="button-row">
            <button type="button" className="quiet-button" onClick={onEdit}>
              {t('Edit')}
            </button>
            <button type="button" className="quiet-button" onClick={() => onChange('')}>
              {t('Remove')}
            </button>
          </div>
        )}
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the field inside
    <div className="line-comment" ref={box} onKeyDown={press}>
      <AutoSizeTextarea label={label} value={text} rows={2} focus onChange={onChange} />
      <div className="button-row">
        <button type="button" onClick={done}>
          {t('Done')}
        </button>
        <button
          type="button"
          className="quiet-button"
          onClick={() => {
            onChange('')
            done()
          }}
        >
          {t('Remove')}
        </button>
      </div>
    </div>
  )

  function press(event: KeyboardEvent) {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isSend && event.key !== 'Escape') return
    // Neither sends the review, nor leaves the page.
    event.preventDefault()
    event.stopPropagation()
    event.nativeEvent.stopPropagation()
    done()
  }

  /** Back to the line, so that the arrow keys go on from there. */
  function done() {
    const line = box.current?.closest('.diff-line')?.querySelector<HTMLElement>('.diff-number')
    onDone()
    line?.focus()
  }
}
