import type { Action, Kind, Question, Request } from '../protocol/index.ts'
import { titleOf } from './title.ts'

// Which requests a person may decide together, with one confirmation that lists them all.

// As much of a title as any list shows.
export const titleLength = 300

/** Why these cannot be decided together, in a sentence; null if they can. */
export function togetherProblem(requests: readonly Request[], verb: 'answer' | 'decline'): string | null {
  if (requests.some(isDangerous)) return 'Dangerous approvals are decided one by one.'
  if (verb === 'decline') return null
  const keys = new Set(requests.map(alikeKey))
  return keys.size === 1 && !keys.has(null) ? null : 'Only requests that ask the same are answered together.'
}

/** The same text for requests that ask the same; null for one that a person answers on its own. */
export function alikeKey(request: Request): string | null {
  if (isDangerous(request) || isNeverAlike(request.kind) || request.attachments.length > 0) return null
  if (request.kind === 'question' && request.questions.length > 1) return null
  const title = titleOf(request)
  if (title.length > titleLength) return null
  return JSON.stringify(alikeParts(request.kind, { ...request }, request.agent, title))
}

/** Nobody gives several values at once, or approves a review without looking at it. */
export function isNeverAlike(kind: Kind): boolean {
  return kind === 'dependency' || kind === 'review'
}

/**
 * What requests that ask the same share. One agent asks about one thing after the other: "Fix the warning in a.ts:12?" is
 * like that in b.ts:7. A person who answers them together reads every title, so a title is whole, and what they choose from is
 * the same. Each has a context of its own, of which the person is told.
 */
export function alikeParts(
  kind: Kind,
  body: Readonly<Record<string, unknown>>,
  agent: Pick<Request['agent'], 'name' | 'cwd'>,
  title: string,
): unknown[] {
  return [agent.name, agent.cwd, kind, withoutNames(title), besideTitle(kind, body)]
}

function besideTitle(kind: Kind, body: Readonly<Record<string, unknown>>): unknown[] {
  if (kind === 'question') return (body.questions as Question[]).map(({ question: _, ...rest }) => rest)
  const { cwd, severity } = body.action as Action
  return [cwd, severity]
}

function isDangerous(request: Request): boolean {
  return request.kind === 'approval' && ['high', 'critical'].includes(request.action.severity)
}

/** Numbers, paths, file names and quoted words differ between alike questions. */
function withoutNames(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/`[^`]*`|"[^"]*"|'[^']*'|“[^”]*”/gu, '…')
    .replaceAll(/\S+/gu, withoutPath)
    .replaceAll(/\d+/gu, '#')
    .replaceAll(/\s+/gu, ' ')
}

/** Word by word: one pattern for all of it takes longer than everything else about a title of nothing but dots. */
function withoutPath(word: string): string {
  return /[/\\.].*\w/u.test(word) ? word.replace(/^.*\w/u, '…') : word
}
