import { useId, useState } from 'react'
import { t } from '../words/words.ts'
import { HoldButton } from './hold-button.tsx'

const word = 'yes'

interface Props {
  danger: 0 | 1 | 2
  /** Chosen by those who cannot or do not want to hold a button. */
  typing: boolean
  busy: boolean
  /** Not yet: it is being judged, or is no command. */
  disabled: boolean
  /** What the button of an everyday yes says. */
  label: string
  onYes: () => void
}

/** A yes: by a click where little is at stake, else by a gesture that nobody makes by accident. */
export function YesButton({ danger, typing, busy, disabled, label, onYes }: Props) {
  const [typed, setTyped] = useState('')
  const about = useId()
  const isTyped = typed.trim().toLowerCase() === word
  if (danger === 0) {
    return (
      <button type="button" className="primary" disabled={busy || disabled} aria-busy={busy} onClick={onYes}>
        {label}
      </button>
    )
  }
  if (danger === 1 && !typing) {
    return (
      <>
        <HoldButton disabled={busy || disabled} describedBy={about} onHeld={onYes}>
          {t('Hold to run it')}
        </HoldButton>
        <span id={about} className="for-ears">
          {t(
            'Press and hold it for more than a second, with a key too. Or approve by typing: there is a box for that.',
          )}
        </span>
      </>
    )
  }
  return (
    <span className="type-yes">
      <label>
        <span>{t('Type {word} to approve it', { word })}</span>
        <input
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            if (isTyped && !busy && !disabled) onYes()
          }}
          onPaste={event => event.preventDefault()}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          size={5}
        />
      </label>
      <button type="button" className="bad" disabled={busy || disabled || !isTyped} onClick={onYes}>
        {t('Run it')}
      </button>
    </span>
  )
}
