import type { Request } from '../../protocol/request.ts'
import { titleOf } from '../../rules/title.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'

/** One request that waits, with the texts of its row: already harmless, and no longer than any screen is wide. */
export interface Item {
  readonly request: Request
  readonly title: string
  readonly agent: string
  /** The name of its run, where it says more than the agent's. */
  readonly run: string
}

const longest = { title: 400, name: 40 }
// A command may be a megabyte long; a row needs no more than its beginning.
const beginning = 2_000

export function itemOf(request: Request, runName: string | null): Item {
  const count = request.kind === 'question' ? request.questions.length : 1
  const title = `${count > 1 ? `${count} questions: ` : ''}${titleOf(request).slice(0, beginning)}`
  const agent = cut(harmlessTitle(request.agent.name), longest.name)
  const run = cut(harmlessTitle(runName ?? ''), longest.name)
  return { request, title: cut(harmlessTitle(title), longest.title), agent, run: run === agent ? '' : run }
}

/** How much a hasty yes could destroy: 2 is critical, 1 is high, 0 is the usual. */
export function dangerOf(request: Request): 0 | 1 | 2 {
  if (request.kind !== 'approval') return 0
  const { severity } = request.action
  return severity === 'critical' ? 2 : severity === 'high' ? 1 : 0
}

/** Danger first, then whoever has waited longest. */
export function inOrder(items: Iterable<Item>): Item[] {
  return [...items].sort(
    ({ request: a }, { request: b }) =>
      dangerOf(b) - dangerOf(a) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id),
  )
}

/** Whether every word that was typed is somewhere in the row. */
export function matches({ request, title, agent, run }: Item, filter: string): boolean {
  const text = plain([title, agent, run, kindWords[request.kind], request.kind, request.id].join(' '))
  return plain(filter)
    .split(' ')
    .every(word => text.includes(word))
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

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
