import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../words/translate.ts'

interface Props {
  /** The labels before and after the first press. */
  label: string
  confirmLabel: string
  /** What the action applies to, for screen readers. */
  target?: string
  busy?: boolean
  onConfirm: () => void
}

const armDelay = 600

/** A button for what cannot be undone. It takes a second press, and a double click does not count as one. */
export function ConfirmButton({ label, confirmLabel, target, busy = false, onConfirm }: Props): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (!isAsking) return setArmed(false)
    const timer = setTimeout(() => setArmed(true), armDelay)
    return () => clearTimeout(timer)
  }, [isAsking])
  return (
    <>
      <button
        type="button"
        className={isAsking ? 'bad' : undefined}
        disabled={busy}
        // Not `disabled`: that would take the focus away from people who use the keyboard.
        aria-disabled={(isAsking && !armed) || undefined}
        onClick={press}
      >
        {isAsking ? confirmLabel : label}
        {target !== undefined && <span className="visually-hidden"> {target}</span>}
      </button>
      {isAsking && (
        <button type="button" onClick={() => setAsking(false)}>
          {t('Cancel')}
        </button>
      )}
    </>
  )

  function press() {
    if (!isAsking) return setAsking(true)
    if (!armed) return
    setAsking(false)
    onConfirm()
  }
}
