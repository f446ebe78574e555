import type { AskInput } from '../../protocol/ask.ts'
import type { Json } from '../../protocol/canonical-json.ts'
import { askedBy } from '../asker.ts'
import type { Call } from '../call.ts'
import { type Document, ticketOf } from '../documents.ts'
import { resultFor } from '../settled.ts'

interface Asking {
  /** The model's own key. */
  readonly key?: string | undefined
  /** Return the ticket at once. */
  readonly async?: boolean | undefined
}

/** Asks in the name of the calling agent, and waits as long as its host allows. */
export async function ask(call: Call, input: AskInput, { key, async = false }: Asking = {}): Promise<Document> {
  const repeat =
    key === undefined ? call.repeats.beginAsk(call.asker, input as Json, call.signal) : { key, end: () => {} }
  try {
    const raised = await call.hub.raise({ ...input, ...askedBy(call.asker), key: repeat.key, canReply: true })
    if (async && raised.status === 'pending') return ticketOf(raised)
    return await resultFor(call, await call.wait(raised))
  } finally {
    repeat.end(true)
  }
}
