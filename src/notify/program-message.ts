import type { LeasedEvent } from '../hub/program-outbox.ts'
import type { Request, Run } from '../protocol/index.ts'
import { short, titleFor } from './title.ts'

/**
 * An event for a program that chose it by type. Like a message to people it has no context, no answer and no secret: a
 * program with a token fetches what it needs. State and title are those at the time of sending.
 */
export function programMessage({ event, id, number, at, about }: LeasedEvent, inbox: string): object {
  const message = { event, id, number, at }
  return 'kind' in about
    ? { ...message, request: requestOf(about), run: null, url: `${inbox}/requests/${about.id}` }
    : { ...message, request: null, run: runOf(about), url: `${inbox}/runs/${about.id}` }
}

function requestOf(request: Request) {
  const { id, kind, status, run, deadline, outcome, settledAt } = request
  return {
    id,
    kind,
    status,
    title: titleFor(request),
    run,
    deadline,
    severity: request.kind === 'approval' ? request.action.severity : null,
    settledAt,
    by: outcome ? short(outcome.by) : null,
    channel: outcome?.channel ?? null,
  }
}

function runOf({ id, name, status, reason, exitCode }: Run) {
  return { id, name: short(name), status, reason: reason === null ? null : short(reason, 300), exitCode }
}
