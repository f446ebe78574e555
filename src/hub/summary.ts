import type { Action, Kind, Question, Request, Severity } from '../protocol/index.ts'
import { titleOf } from '../rules/title.ts'
import { alikeParts, isNeverAlike, titleLength } from '../rules/together.ts'
import type { RequestRecord } from '../store/records.ts'
import { fingerprint } from './fingerprint.ts'

// What the store keeps beside a request, so that lists are sorted, folded and counted without reading whole requests.

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
    alike: danger > 0 || request.hasFiles || isNeverAlike(request.kind) ? null : alikeOf(request, title),
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

function alikeOf({ kind, body, agent, scope }: Summarised, title: string): string | null {
  if (title.length > titleLength) return null
  return shortFingerprint([scope, ...alikeParts(kind, body, agent, title)])
}

function sameQuestionOf({ body, agent }: Summarised): string {
  const asked = questionsOf(body).map(question => [normal(question.question), ...shapeOf(question)])
  return shortFingerprint([agent.cwd, asked])
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

function shortFingerprint(parts: unknown[]): string {
  return fingerprint(JSON.stringify(parts)).slice(0, fingerprintLength)
}
