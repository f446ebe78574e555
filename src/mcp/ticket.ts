import type { Request } from '../protocol/request.ts'
import type { Call } from './call.ts'
import { askedBackOn, type Document, ticketOf } from './documents.ts'

/** The ticket of a pending request, with what people ask its asker back. Each message is handed over once it is written. */
export async function ticketFor(call: Call, request: Request): Promise<Document> {
  const { id } = request
  const hears = request.messages.some(({ from }) => from === 'person') && (await call.isOwn(request))
  const messages = hears ? await call.hub.messages.unheard(id) : []
  const last = messages.at(-1)
  if (!last) return ticketOf(request)
  call.onceSent(() => call.hub.messages.confirm(id, last.id))
  return askedBackOn(request, messages)
}
