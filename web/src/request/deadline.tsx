import { limits } from '../../../src/protocol/limits.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { useNowBefore } from '../parts/clock.ts'
import { serverTime } from '../server-time.ts'
import { ago, moment, until } from '../words/times.ts'
import { t } from '../words/words.ts'

const soon = 5 * 60_000

/** What becomes of it without an answer, and when. */
export function Deadline({ request, at }: { request: Request; at: string }) {
  const { createdAt, onTimeout } = request
  const next = onTimeout === 'remind' ? reminders(createdAt, at, serverTime()).next : at
  const now = useNowBefore(next ?? at)
  const isSoon = onTimeout !== 'remind' && Date.parse(at) - now < soon
  return (
    <p className={`deadline ${isSoon ? 'soon' : ''}`}>
      {onTimeout === 'remind' ? reminded(createdAt, at, now) : words(onTimeout, at, now)}
    </p>
  )
}

function words(onTimeout: 'default' | 'fail', at: string, now: number): string {
  if (Date.parse(at) <= now) return t('Its time is up; it ends any moment.')
  const about =
    onTimeout === 'default' ? t('Without an answer, its default is taken') : t('Without an answer, it expires')
  return `${about} ${until(at, now)} (${moment(at)})`
}

function reminded(createdAt: string, at: string, now: number): string {
  const { last, next } = reminders(createdAt, at, now)
  return [
    last === null ? '' : t('A reminder came {time}.', { time: ago(last, now) }),
    next === null
      ? ''
      : `${last === null ? t('A reminder comes') : t('Another comes')} ${until(next, now)} (${moment(next)})`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** They come at 1×, 2×, 4× … of the time between the asking and the deadline. */
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
