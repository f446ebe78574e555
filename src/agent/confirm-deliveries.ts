import type { HubApi } from '../protocol/hub.ts'
import type { Conversation } from './conversation.ts'
import { ignoreDeleted } from './deleted.ts'

// A crash leaves at most the calls of one reply unconfirmed.
const atMost = 10

/** After a start: confirms the answers and messages that a crash left unconfirmed. */
export async function confirmDeliveries(hub: HubApi, { delivered, askedBack }: Conversation['history']): Promise<void> {
  for (const id of delivered.slice(-atMost)) {
    const request = await hub.get(id)
    if (request.deliveredAt === null && request.status !== 'pending') await hub.confirmDelivery(id)
  }
  for (const { request, message } of askedBack.slice(-atMost)) {
    await hub.messages.confirm(request, message).catch(ignoreDeleted)
  }
}
