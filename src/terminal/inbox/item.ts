import type { Request } from '../../protocol/request.ts'
import { askerKey, projectOf } from '../../rules/asker.ts'
import { titleOf } from '../../rules/title.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { reminderText } from '../due-text.ts'

/** A pending request with the texts of its row, made harmless and cut to a sensible length. */
export interface Item {
  readonly request: Request
  readonly title: string
  readonly agent: string
  /** The name of its run; empty if it is the agent's name. */
  readonly run: string
  readonly project: string
  /** The same for all requests of one asker. */
  readonly asker: string
  /** Until when the person does not want to see it. */
  readonly snoozedUntil: string | null
}

const longest = { title: 400, name: 40 }
// A command may be a megabyte long; a row needs only its beginning.
const beginning = 2_000

export function itemOf(request: Request, runName: string | null, snoozedUntil: string | null = null): Item {
  const count = request.kind === 'question' ? request.questions.length : 1
  const title = `${count > 1 ? `${count} questions: ` : ''}${titleOf(request).slice(0, beginning)}`
  const agent = cut(harmlessTitle(request.agent.name), longest.name)
  const run = cut(harmlessTitle(runName ?? ''), longest.name)
  return {
    request,
    title: cut(harmlessTitle(title), longest.title),
    agent,
    run: run === agent ? '' : run,
    project: cut(harmlessTitle(projectOf(request.agent.cwd)), longest.name),
    asker: askerKey(request),
    snoozedUntil,
  }
}

export function isSnoozed({ snoozedUntil }: Item, now: number): boolean {
  return snoozedUntil !== null && now < Date.parse(snoozedUntil)
}

export function reminderOf({ request, title }: Item, now: number): string {
  return `${reminderText(request, now)}: ${title}`
}

/** The agent wrote the last word. */
export function hasReply({ request, snoozedUntil }: Item): boolean {
  return request.messages.at(-1)?.from === 'agent' && snoozedUntil === null
}

/** 2 for critical, 1 for high, 0 for everything else. */
export function dangerLevel(request: Request): 0 | 1 | 2 {
  if (request.kind !== 'approval') return 0
  const { severity } = request.action
  return severity === 'critical' ? 2 : severity === 'high' ? 1 : 0
}

/** The most dangerous first, then the oldest. */
export function inOrder(items: Iterable<Item>): Item[] {
  return [...items].sort(
    ({ request: a }, { request: b }) =>
      dangerLevel(b) - dangerLevel(a) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id),
  )
}

export const kindWords: Record<Request['kind'], string> = {
  question: 'question',
  dependency: 'needs',
  approval: 'approval',
  review: 'review',
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
