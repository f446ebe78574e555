import type { AskInput } from '../../protocol/ask.ts'
import type { Json } from '../../protocol/canonical-json.ts'
import type { Request } from '../../protocol/request.ts'
import { endsInEffect } from '../../rules/outcomes.ts'
import type { Asker } from '../asker.ts'
import type { Call } from '../call.ts'
import { type Document, outcomeOrTicket, ticketOf } from '../documents.ts'

interface Asking {
  /** The model's own key. */
  readonly key?: string | undefined
  /** Return the ticket at once. */
  readonly async?: boolean | undefined
  readonly settled?: (request: Request) => Document | Promise<Document>
}

/** Asks in the name of the calling agent, and waits as long as its host allows. */
export async function ask(call: Call, input: AskInput, asking: Asking = {}): Promise<Document> {
  const { key = null, async = false, settled } = asking
  const repeat = key === null ? call.repeats.begin(call.asker, input as Json) : { key, end: () => {} }
  try {
    const raised = await call.hub.raise({ ...input, ...askedBy(call.asker), key: repeat.key })
    if (async && raised.status === 'pending') return ticketOf(raised)
    const request = await call.wait(raised)
    if (request.status === 'pending') return ticketOf(request)
    return settled ? await settled(request) : deliver(call, request)
  } finally {
    repeat.end()
  }
}

/** The outcome, which counts as delivered once it is written. */
export function deliver(call: Call, request: Request): Document {
  if (request.status !== 'pending' && !endsInEffect(request)) {
    call.onceSent(() => call.hub.confirmDelivery(request.id))
  }
  return outcomeOrTicket(request)
}

export function askedBy({ name, cwd, run, session }: Asker) {
  const agent = { ...(name === null ? {} : { name }), ...(cwd === null ? {} : { cwd }) }
  return { agent, run, session }
}
