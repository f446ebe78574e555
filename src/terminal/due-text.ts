import { formatDuration as formatForPeople } from '../protocol/duration.ts'
import type { Request } from '../protocol/request.ts'
import type { OnTimeout } from '../protocol/status.ts'
import { dueOf } from '../rules/deadlines.ts'
import { defaultAnswers } from '../rules/outcomes.ts'
import { ageOf, formatDuration } from '../text/age.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { cut } from '../text/width.ts'

const longestDefault = 60

/** Where a request stands with its deadline, in a sentence; null without one. */
export function dueText(request: Request, now: number): string | null {
  const due = dueOf(request, now)
  switch (due?.state) {
    case undefined:
      return null
    case 'ahead':
      return `Due in ${countdown(due.at - now)}: ${consequence(request)}`
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

/** What the deadline does, if nobody answers. */
function consequence(request: Request): string {
  switch (request.onTimeout) {
    case 'default':
      return defaultText(request)
    case 'fail':
      return 'it expires'
    case 'remind':
      return request.required ? 'a reminder; it stays open, because an answer is required' : 'a reminder; it stays open'
  }
}

function defaultText(request: Request): string {
  const answers = request.kind === 'question' ? defaultAnswers(request.questions) : []
  const values = answers.map(({ selected, text }) => [...selected, text ?? ''].filter(Boolean).join(', '))
  return cut(harmlessTitle(values.join(' · ')), longestDefault) || 'its default'
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

function formatRest(milliseconds: number): string {
  return formatDuration(wholeSeconds(milliseconds))
}

/** The same with two units, as it runs on a screen: `9 s`, `4 min 30 s`. */
function countdown(milliseconds: number): string {
  return formatForPeople(wholeSeconds(milliseconds))
}

/** What is left of a time is never zero. */
function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000)) * 1_000
}
