import type { InboxRow } from '../../../src/protocol/inbox.ts'
import { useNowUntil } from '../components/use-now.ts'
import { took, until } from '../words/times.ts'
import { t } from '../words/translate.ts'
import './ring.css'

const soon = 10 * 60_000

/** How much time is left until the deadline, as a thin ring; what then happens is its text. */
export function Ring({ row: { deadline, createdAt, onTimeout } }: { row: InboxRow }) {
  const now = useNowUntil(deadline ?? createdAt)
  if (deadline === null) return null
  const left = Date.parse(deadline) - now
  const isOverdue = left <= 0 && onTimeout === 'remind'
  // A reminder that is still to come is not worth a ring.
  if (onTimeout === 'remind' && !isOverdue) return null
  const fraction = Math.min(1, Math.max(0, left / (Date.parse(deadline) - Date.parse(createdAt))))
  const says = isOverdue
    ? t('Overdue for {time}', { time: took(deadline, new Date(now).toISOString()) })
    : `${onTimeout === 'default' ? t('default applies') : t('expires')} ${until(deadline, now)}`
  return (
    <span
      className={`ring ${left < soon ? 'ring-soon' : ''}`}
      style={{ '--left': isOverdue ? 1 : fraction } as object}
      title={says}
    >
      <span className="due visually-hidden">{says}</span>
    </span>
  )
}
