import { useState } from 'react'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { t } from '../words/translate.ts'

interface Props {
  busy: boolean
  /** The hub refuses to decline a dependency without one. */
  needsReason: boolean
  onCancel: () => void
  onDecline: (reason: string) => void
}

export function Decline({ busy, needsReason, onCancel, onDecline }: Props) {
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <section className="decline" aria-label={t('Decline')}>
      <AutoSizeTextarea
        labelled
        label={t('Reason (sent to the agent)')}
        value={reason}
        rows={2}
        focus
        onChange={value => {
          setProblem(null)
          setReason(value)
        }}
      />
      <ErrorMessage text={problem} />
      <div className="button-row">
        <button type="button" className="bad" disabled={busy} onClick={submit}>
          {t('Decline')}
        </button>
        <button type="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </section>
  )

  function submit() {
    if (needsReason && reason.trim() === '') setProblem(t('Enter a reason.'))
    else onDecline(reason.trim())
  }
}
