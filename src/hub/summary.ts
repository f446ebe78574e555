import { hash } from 'node:crypto'
import type { Action, Kind, Question, Request, Severity } from '../protocol/index.ts'
import { titleOf } from '../rules/title.ts'
import type { RequestRecord } from '../store/records.ts'

// What the store keeps beside a request, so that lists are sorted, folded and counted without reading whole requests.

// As much of a title as any list shows.
const titleLength = 300
const fingerprintLength = 22

type Summary = Pick<RequestRecord, 'title' | 'danger' | 'alike' | 'sameQuestion' | 'detail' | 'parts'>
type Summarised = Pick<RequestRecord, 'kind' | 'body' | 'agent' | 'scope' | 'session'> & {
  hasFiles: boolean
}

export function summaryOf(request: Summarised): Summary {
  const title = titleOf({ kind: request.kind, ...request.body } as Request)
  const danger = dangerOf(request.kind, request.body)
  return {
    title: title.slice(0, titleLength),
    danger,
    // Nobody answers for several pictures at once without looking at each.
    alike: danger > 0 || request.hasFiles || isNeverFolded(request.kind) ? null : alikeOf(request, title),
    sameQuestion: request.kind === 'question' ? sameQuestionOf(request) : null,
    detail: detailOf(request.kind, request.body),
    parts: partsOf(request.kind, request.body),
  }
}

function dangerOf(kind: Kind, body: RequestRecord['body']): number {
  if (kind !== 'approval') return 0
  const severity: Severity = (body.action as Action).severity
  return severity === 'critical' ? 4 : severity === 'high' ? 3 : 0
}

function detailOf(kind: Kind, body: RequestRecord['body']): string | null {
  if (kind === 'approval') return (body.action as Action).severity
  return kind === 'dependency' ? (body.type as string) : null
}

function partsOf(kind: Kind, body: RequestRecord['body']): number {
  if (kind === 'question') return questionsOf(body).length
  return kind === 'review' && Array.isArray(body.files) ? body.files.length : 1
}

/** Nobody gives several values at once, or approves a review without looking at it. */
function isNeverFolded(kind: Kind): boolean {
  return kind === 'dependency' || kind === 'review'
}

/**
 * One agent that asks the same about one thing after the other: "Fix the warning in a.ts:12?" is like that in b.ts:7.
 * Whoever answers them together reads every title, so a title is whole, and what they choose from is the same. Each has a
 * context of its own, of which the person is told.
 */
function alikeOf({ kind, body, agent, scope }: Summarised, title: string): string | null {
  if (title.length > titleLength) return null
  return fingerprint([scope, agent.name, agent.cwd, kind, withoutNames(title), besideTitle(kind, body)])
}

function besideTitle(kind: Kind, body: RequestRecord['body']): unknown[] {
  if (kind === 'question') return questionsOf(body).map(({ question: _, ...rest }) => rest)
  const { cwd, severity } = body.action as Action
  return [cwd, severity]
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

function sameQuestionOf({ body, agent }: Summarised): string {
  const asked = questionsOf(body).map(question => [normal(question.question), ...shapeOf(question)])
  return fingerprint([agent.cwd, asked])
}

function shapeOf({ options, multiSelect, allowOther }: Question): unknown[] {
  return [options.map(({ label }) => normal(label)), multiSelect, allowOther]
}

function questionsOf(body: RequestRecord['body']): Question[] {
  return body.questions as Question[]
}

export function normal(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase()
}

function fingerprint(parts: unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, fingerprintLength)
}
