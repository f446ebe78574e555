import { createPrepareChat } from '../../chat/prepare-message.ts'
import { startChats } from '../../chat/start.ts'
import type { Hub } from '../../hub/hub.ts'
import type { Log } from '../../server/log.ts'

/** Takes what people press in chats while the server runs, and says what messages to chats may have buttons for. */
export function startAnswering(hub: Hub, log: Log) {
  return { ...startChats({ hub, chat: hub.chat, log }), prepareChat: createPrepareChat(hub.chat, log) }
}
