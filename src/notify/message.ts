import type { LeasedMessage } from '../hub/outbox.ts'
import type { Request, Severity } from '../protocol/index.ts'
import { titleFor } from './title.ts'

/** Enough for a person to decide whether to open the inbox. Never the context, an answer or a secret. */
export interface Message {
  event: 'request.created' | 'request.reminded' | 'test'
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
  /** Opens the request in the inbox. */
  url: string
}

export function messageOf({ event, id, at, request }: LeasedMessage, inbox: string): Message {
  return {
    event,
    id,
    at,
    request: {
      id: request.id,
      kind: request.kind,
      title: titleFor(request),
      run: request.run,
      deadline: request.deadline,
      severity: request.kind === 'approval' ? request.action.severity : null,
    },
    url: `${inbox}/requests/${request.id}`,
  }
}

export function titleIn({ event, request }: Message): string {
  if (!request) return 'This is a test message from Beckon.'
  return event === 'request.reminded' ? `Still waiting: ${request.title}` : request.title
}

export type Urgency = 'normal' | 'high'

/** High for dangerous actions, and for requests whose deadline is near. */
export function urgencyOf({ request, at }: Message): Urgency {
  if (request?.severity === 'critical' || request?.severity === 'high') return 'high'
  const soon = request?.deadline && Date.parse(request.deadline) - Date.parse(at) <= 15 * 60_000
  return soon ? 'high' : 'normal'
}
