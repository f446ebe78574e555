import { useState } from 'react'
import { GrowingText } from '../parts/growing-text.tsx'
import { t } from '../words/words.ts'

interface Props {
  busy: boolean
  onCancel: () => void
  onDecline: (reason: string) => void
}

export function Decline({ busy, onCancel, onDecline }: Props) {
  const [reason, setReason] = useState('')
  return (
    <section className="decline" aria-label={t('Decline')}>
      <GrowingText
        labelled
        label={t('Why not? The agent is told.')}
        value={reason}
        rows={2}
        focus
        onChange={setReason}
      />
      <div className="row-of-buttons">
        <button type="button" className="bad" disabled={busy} onClick={() => onDecline(reason.trim())}>
          {t('Decline')}
        </button>
        <button type="button" onClick={onCancel}>
          {t('Never mind')}
        </button>
      </div>
    </section>
  )
}
