import type { ReactNode } from 'react'
import { useShortcuts } from '../browser/shortcuts.ts'
import './verb.css'

interface Props {
  /** The key that does the same. */
  shortcut?: string | undefined
  /** `primary`: what most people want; `quiet`: beside the decision, not part of it. */
  look?: 'plain' | 'primary' | 'bad' | 'quiet'
  /** A second line, in small. */
  hint?: ReactNode
  /** It is what the form contains now. */
  chosen?: boolean | undefined
  expanded?: boolean
  disabled?: boolean
  busy?: boolean
  onPress: () => void
  children: ReactNode
}

/** A button that does one thing, with the key that does it too. */
export function Verb(props: Props) {
  const { shortcut, look = 'plain', hint, chosen, expanded, disabled = false, busy = false, onPress, children } = props
  useShortcuts(shortcut !== undefined && !disabled && !busy ? { [shortcut]: onPress } : {})
  return (
    <button
      type="button"
      className={`verb verb-${look}${look === 'primary' || look === 'bad' ? ` ${look}` : ''}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      aria-pressed={chosen}
      aria-expanded={expanded}
      aria-keyshortcuts={shortcut}
      onClick={onPress}
    >
      <span className="verb-label" dir="auto">
        {children}
      </span>
      {shortcut !== undefined && (
        <span className="key verb-key" aria-hidden="true">
          {shortcut.toUpperCase()}
        </span>
      )}
      {hint !== undefined && (
        <span className="verb-hint" dir="auto">
          {hint}
        </span>
      )}
    </button>
  )
}
