import { useId, useState } from 'react'
import { Verb } from '../bar/verb.tsx'
import type { DangerLevel } from '../state/danger.ts'
import { t } from '../words/translate.ts'
import { HoldButton } from './hold-button.tsx'
import './approve-button.css'

const word = 'yes'

interface Props {
  danger: DangerLevel
  /** The person chose to type the word instead of holding the button. */
  typing: boolean
  busy: boolean
  /** The command is empty, or the guard is still checking it. */
  disabled: boolean
  /** The label of the plain button, for an action without much risk. */
  label: string
  onApprove: () => void
}

/** Approves by a click where little is at stake, otherwise by a gesture that nobody makes by accident. */
export function ApproveButton({ danger, typing, busy, disabled, label, onApprove }: Props) {
  const [typed, setTyped] = useState('')
  const hintId = useId()
  const isTyped = typed.trim().toLowerCase() === word
  if (danger === 0) {
    return (
      <Verb look="primary" shortcut="a" busy={busy} disabled={disabled} onPress={onApprove}>
        {label}
      </Verb>
    )
  }
  if (danger === 1 && !typing) {
    return (
      <>
        <HoldButton disabled={busy || disabled} describedBy={hintId} onHeld={onApprove}>
          {t('Hold to approve')}
        </HoldButton>
        <span id={hintId} className="visually-hidden">
          {t(
            'Press and hold for more than a second, with the pointer or a key. To type your approval instead, check the box above.',
          )}
        </span>
      </>
    )
  }
  return (
    <span className="typed-approval">
      <label>
        <span>{t('Type {word} to approve', { word })}</span>
        <input
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            if (isTyped && !busy && !disabled) onApprove()
          }}
          onPaste={event => event.preventDefault()}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          size={5}
        />
      </label>
      <button type="button" className="bad" disabled={busy || disabled || !isTyped} onClick={onApprove}>
        {t('Approve')}
      </button>
    </span>
  )
}
