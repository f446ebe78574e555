import type { Request } from '../protocol/request.ts'
import type { OnTimeout } from '../protocol/status.ts'
import { dueOf } from '../rules/deadlines.ts'
import { ageOf, formatDuration } from '../text/age.ts'

/** Where a request stands with its deadline, in a sentence; null without one. */
export function dueText(request: Request, now: number): string | null {
  const due = dueOf(request, now)
  switch (due?.state) {
    case undefined:
      return null
    case 'ahead':
      return `Due in ${formatRest(due.at - now)}, ${effects[request.onTimeout]}.`
    case 'closing':
      return `Time is up: ${endings[request.onTimeout]}.`
    case 'overdue': {
      const overdue = `overdue for ${formatDuration(now - due.since)}`
      if (!due.reminded) return `O${overdue.slice(1)}: a reminder comes in a moment.`
      return [reminderText(request, now), overdue, ...nextText(due.next, now)].join(', ')
    }
  }
}

export function reminderText({ createdAt }: Pick<Request, 'createdAt'>, now: number): string {
  return `Reminder · waiting for ${ageOf(createdAt, now)}`
}

/** The same for a column of a table: in 5m, now, 5m ago. */
export function shortDueText(request: Request, now: number): string {
  const due = dueOf(request, now)
  if (due === null) return ''
  if (due.state === 'ahead') return `in ${formatRest(due.at - now)}`
  return due.state === 'closing' ? 'now' : `${formatDuration(now - due.since)} ago`
}

const effects: Record<OnTimeout, string> = {
  default: 'then its default is used',
  fail: 'then it expires',
  remind: 'then you get a reminder',
}

const endings: Record<OnTimeout, string> = {
  default: 'its default is used in a moment',
  fail: 'it expires in a moment',
  remind: 'a reminder comes in a moment',
}

function nextText(next: number | null, now: number): string[] {
  if (next === null) return []
  return [next > now ? `next reminder in ${formatRest(next - now)}` : 'next reminder in a moment']
}

/** What is left of a time is never "0s". */
function formatRest(milliseconds: number): string {
  return formatDuration(Math.max(1, Math.ceil(milliseconds / 1_000)) * 1_000)
}
