import { useState } from 'react'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { t } from '../words/translate.ts'

interface Props {
  busy: boolean
  onCancel: () => void
  onDecline: (reason: string) => void
}

export function Decline({ busy, onCancel, onDecline }: Props) {
  const [reason, setReason] = useState('')
  return (
    <section className="decline" aria-label={t('Decline')}>
      <AutoSizeTextarea
        labelled
        label={t('Reason (sent to the agent)')}
        value={reason}
        rows={2}
        focus
        onChange={setReason}
      />
      <div className="button-row">
        <button type="button" className="bad" disabled={busy} onClick={() => onDecline(reason.trim())}>
          {t('Decline')}
        </button>
        <button type="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </section>
  )
}
