import type { LeasedMessage } from '../hub/outbox.ts'
import type { Request, Run, Severity } from '../protocol/index.ts'
import { isUrgent } from '../rules/urgent.ts'
import { short, titleFor, titleOfFailure } from './title.ts'

/** Enough for a person to decide whether to open the inbox. Never the context, an answer or a secret. */
export interface Message {
  event: LeasedMessage['event'] | 'test'
  /** The same for every retry, so that receivers can recognise duplicates. */
  id: string
  at: string
  request: {
    id: string
    kind: Request['kind']
    title: string
    run: string | null
    deadline: string | null
    severity: Severity | null
  } | null
  /** Only of `run.failed`. */
  run?: { id: string; name: string; title: string; reason: string; exitCode: number | null }
  /** Opens the request or the run in the inbox. */
  url: string
}

export function messageOf({ event, id, at, about }: LeasedMessage, inbox: string): Message {
  const message = { event, id, at }
  return 'kind' in about
    ? { ...message, request: requestOf(about), url: `${inbox}/requests/${about.id}` }
    : { ...message, request: null, run: runOf(about), url: `${inbox}/runs/${about.id}` }
}

function requestOf(request: Request): Message['request'] {
  return {
    id: request.id,
    kind: request.kind,
    title: titleFor(request),
    run: request.run,
    deadline: request.deadline,
    severity: request.kind === 'approval' ? request.action.severity : null,
  }
}

function runOf(run: Run): NonNullable<Message['run']> {
  const { id, name, reason, exitCode } = run
  return { id, name: short(name), title: titleOfFailure(run), reason: short(reason ?? '', 300), exitCode }
}

export function titleIn({ event, request, run }: Message): string {
  if (run) return run.title
  if (!request) return 'This is a test message from Beckon.'
  return event === 'request.reminded' ? `Still waiting: ${request.title}` : request.title
}

/** The subject in a word or two; null for a test. */
export function headingOf({ request, run }: Message): string | null {
  return run ? 'run failed' : (request?.kind ?? null)
}

export type Urgency = 'normal' | 'high'

/** High for dangerous actions, and for requests whose deadline is near. */
export function urgencyOf({ request, at }: Message): Urgency {
  const { severity = null, deadline = null } = request ?? {}
  const danger = severity === 'critical' || severity === 'high' ? 3 : 0
  return isUrgent({ danger, deadline: deadline === null ? null : Date.parse(deadline) }, Date.parse(at))
    ? 'high'
    : 'normal'
}
