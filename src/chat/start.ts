import type { ChatStore } from '../hub/chat.ts'
import type { HubApi } from '../protocol/index.ts'
import { type AnswerCallback, createCallbacks } from './callbacks.ts'
import { type Bot, type Listen, startListeners } from './listeners.ts'
import type { ChatLog } from './log.ts'
import { startPresses } from './presses.ts'
import { replyToPress } from './reply.ts'
import { listenToSlack } from './slack/socket.ts'
import { listenToTelegram } from './telegram/listen.ts'

export interface ChatOptions {
  hub: Pick<HubApi, 'get' | 'answer'>
  chat: ChatStore
  log: ChatLog
  timing?: ChatTiming
}

/** Milliseconds: between two looks for bots and for presses left behind, and how long a server that died keeps a bot. */
interface ChatTiming {
  look: number
  lease: number
}

export interface Chats {
  answerCallback: AnswerCallback
  close(): Promise<void>
}

/** Takes presses of buttons in chats, and settles what they answer, until it is closed. */
export function startChats({ hub, chat, log, timing }: ChatOptions): Chats {
  const presses = startPresses({ hub, chat, reply: replyToPress, log, ...(timing ? { look: timing.look } : {}) })
  const options = { chat, log, onPress: presses.checkNow }
  const listeners = startListeners({ chat, log, listenTo, ...(timing ? { timing } : {}) })
  return {
    answerCallback: createCallbacks({ hub, ...options }),
    async close() {
      await listeners.close()
      await presses.close()
    },
  }

  function listenTo(bot: Bot): Listen | null {
    const targets = bot.targets.map(({ target }) => target)
    if (targets[0]?.kind === 'telegram') return (bot, signal) => listenToTelegram(bot, signal, options)
    const app = targets.flatMap(target => {
      if (target.kind !== 'slack' || !target.appToken) return []
      return [{ name: target.name, url: target.url, appToken: target.appToken }]
    })[0]
    return app ? (bot, signal) => listenToSlack(bot, app, signal, options) : null
  }
}
