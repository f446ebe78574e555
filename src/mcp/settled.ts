import type { DependencyRequest, Request } from '../protocol/request.ts'
import { endsInEffect } from '../rules/outcomes.ts'
import type { ToolCall } from '../tool-calls/tool-call.ts'
import { decidedByPerson } from './approving/documents.ts'
import type { Call } from './call.ts'
import { type Document, outcomeOf } from './documents.ts'
import { ticketFor } from './ticket.ts'

/** What the agent that asked is told about its request: the ticket while it is pending, else what became of it. */
export function resultFor(
  call: Call,
  request: Request,
  asked?: Pick<ToolCall, 'tool' | 'input'>,
): Document | Promise<Document> {
  if (request.kind === 'approval') return decidedByPerson(call, request, asked)
  if (request.status === 'pending') return ticketFor(call, request)
  if (request.kind === 'dependency' && request.status === 'answered') return provided(call, request)
  // It counts as delivered once it is written.
  if (!endsInEffect(request)) call.onceSent(() => call.hub.confirmDelivery(request.id))
  return outcomeOf(request)
}

/** The reference of a value, never the value. */
function provided({ machine }: Call, request: DependencyRequest): Document {
  const { id, type, name, outcome } = request
  const next =
    machine === null
      ? `POST /api/requests/${id}/value with the same token hands over the value, once.`
      : `A command gets the value in its environment: beckon need ${type} ${quoted(name)} --ref ${outcome?.reference} -- COMMAND`
  return { ...outcomeOf(request), next }
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`
}
