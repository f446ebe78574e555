import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../words/words.ts'

interface Props {
  /** What it says, and what it says when it is about to be done. */
  label: string
  sureLabel: string
  /** What it is done to, for those who listen. */
  about?: string
  busy?: boolean
  onSure: () => void
}

const secondThought = 600

/** A button for what cannot be undone: it asks once more, and a double click or tap is no second thought. */
export function SureButton({ label, sureLabel, about, busy = false, onSure }: Props): ReactNode {
  const [sure, setSure] = useState(false)
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    if (!sure) return setArmed(false)
    const timer = setTimeout(() => setArmed(true), secondThought)
    return () => clearTimeout(timer)
  }, [sure])
  return (
    <>
      <button
        type="button"
        className={sure ? 'bad' : undefined}
        disabled={busy}
        // Not disabled: that would take the focus away from those who use keys.
        aria-disabled={(sure && !armed) || undefined}
        onClick={press}
      >
        {sure ? sureLabel : label}
        {about !== undefined && <span className="for-ears"> {about}</span>}
      </button>
      {sure && (
        <button type="button" onClick={() => setSure(false)}>
          {t('Never mind')}
        </button>
      )}
    </>
  )

  function press() {
    if (!sure) return setSure(true)
    if (!armed) return
    setSure(false)
    onSure()
  }
}
