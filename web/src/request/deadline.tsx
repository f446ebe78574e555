import { limits } from '../../../src/protocol/limits.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { useNowUntil } from '../components/use-now.ts'
import { serverTime } from '../server-time.ts'
import { ago, moment, until } from '../words/times.ts'
import { t } from '../words/translate.ts'

const soon = 5 * 60_000

/** What happens without an answer, and when. */
export function Deadline({ request, at }: { request: Request; at: string }) {
  const { createdAt, onTimeout } = request
  const next = onTimeout === 'remind' ? reminders(createdAt, at, serverTime()).next : at
  const now = useNowUntil(next ?? at)
  const isSoon = onTimeout !== 'remind' && Date.parse(at) - now < soon
  return (
    <p className={`deadline ${isSoon ? 'soon' : ''}`}>
      {onTimeout === 'remind' ? reminderText(createdAt, at, now) : deadlineText(onTimeout, at, now)}
    </p>
  )
}

function deadlineText(onTimeout: 'default' | 'fail', at: string, now: number): string {
  if (Date.parse(at) <= now) return t('Time is up. This request closes in a moment.')
  const lead =
    onTimeout === 'default' ? t('Without an answer, the default is used') : t('Without an answer, this expires')
  return `${lead} ${until(at, now)} (${moment(at)})`
}

function reminderText(createdAt: string, at: string, now: number): string {
  const { last, next } = reminders(createdAt, at, now)
  return [
    last === null ? '' : t('Last reminder {time}.', { time: ago(last, now) }),
    next === null ? '' : `${last === null ? t('Reminder') : t('Next reminder')} ${until(next, now)} (${moment(next)})`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Reminders come at 1×, 2×, 4× … of the time between the request and its deadline. */
function reminders(createdAt: string, deadline: string, now: number) {
  const asked = Date.parse(createdAt)
  const first = Math.max(1_000, Date.parse(deadline) - asked)
  let after = first
  while (asked + after <= now) after *= 2
  return {
    last: after === first ? null : new Date(asked + after / 2).toISOString(),
    next: after > limits.timeout ? null : new Date(asked + after).toISOString(),
  }
}
