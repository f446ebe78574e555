import { type MouseEvent, type ReactNode, useState } from 'react'
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

/** A button for what cannot be undone: it asks once more, and a double click is no second thought. */
export function SureButton({ label, sureLabel, about, busy = false, onSure }: Props): ReactNode {
  const [sure, setSure] = useState(false)
  return (
    <>
      <button type="button" className={sure ? 'bad' : undefined} disabled={busy} onClick={press}>
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

  function press(event: MouseEvent) {
    if (!sure) return setSure(true)
    if (event.detail > 1) return
    setSure(false)
    onSure()
  }
}
