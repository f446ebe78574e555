import type { Request } from '../../../src/protocol/request.ts'
import { type Due, dueOf } from '../../../src/rules/deadlines.ts'
import { useNowUntil } from '../components/use-now.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { moment, reminderText, took, until } from '../words/times.ts'
import { t } from '../words/translate.ts'

const soon = 5 * 60_000

/** What happens without an answer, and when: "in 21 min: SQLite". The exact time is a tooltip. */
export function Deadline({ request }: { request: Request }) {
  const now = useNowUntil(nextMoment(request))
  const due = dueOf(request, now)
  if (due === null) return null
  const isSoon = due.state === 'ahead' ? request.onTimeout !== 'remind' && due.at - now < soon : true
  return (
    <span className={`deadline ${isSoon ? 'soon' : ''}`} title={tooltip(request, due)}>
      {deadlineText(request, due, now)}
    </span>
  )
}

function deadlineText(request: Request, due: Due, now: number): string {
  switch (due.state) {
    case 'closing':
      return t('Time is up. This request closes in a moment.')
    case 'ahead':
      return aheadText(request, until(iso(due.at), now))
    case 'overdue': {
      if (!due.reminded) return overdueText(due.since, now)
      const next = due.next === null ? [] : [`${t('Next reminder')} ${until(iso(due.next), now)}`]
      return [reminderText(request, now), ...next].join(' · ')
    }
  }
}

function aheadText(request: Request, time: string): string {
  switch (request.onTimeout) {
    case 'default':
      return `${time}: ${titleText(defaultOf(request), 40)}`
    case 'fail':
      return `${t('expires')} ${time}`
    case 'remind':
      return `${t('Reminder')} ${time}`
  }
}

/** What the asker takes if nobody answers. */
function defaultOf(request: Request): string {
  const [first, ...others] = request.kind === 'question' ? request.questions : []
  return first && others.length === 0 && first.default !== null ? [first.default].flat().join(', ') : t('default')
}

function tooltip({ onTimeout }: Request, due: Due): string | undefined {
  return due.state === 'ahead' ? `${leads[onTimeout]()} ${moment(iso(due.at))}` : undefined
}

const leads = {
  default: () => t('Without an answer, the default is used'),
  fail: () => t('Without an answer, this expires'),
  remind: () => t('Reminder'),
}

function overdueText(since: number, now: number): string {
  return t('Overdue for {time}', { time: took(iso(since), iso(now)) })
}

/** What the clock counts down to. */
function nextMoment({ deadline, remindAt }: Request): string {
  return remindAt ?? deadline ?? iso(0)
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
