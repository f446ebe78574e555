import type { ChatStore } from '../../hub/chat.ts'
import { ApiError } from '../call-api.ts'
import type { Bot } from '../listeners.ts'
import type { ChatLog } from '../log.ts'
import { pairAccount } from '../pair.ts'
import { pause, pauseAfter } from '../retry.ts'
import { callTelegram, type TelegramBot } from './api.ts'
import { anyUpdate, labelOf, type TelegramUpdate, updateSchema } from './updates.ts'

interface Options {
  chat: ChatStore
  onPress: () => void
  log: ChatLog
  /** Seconds that Telegram holds a call while there is nothing new. */
  hold?: number
}

// Milliseconds.
const shortestHold = 1_000

/**
 * Reads updates by long polling, so that the hub needs no address that Telegram can reach. An update is confirmed by asking
 * for the one after it; a press is stored before that. What a server that died had not confirmed comes again, and a press
 * that is stored already is not stored twice.
 */
export async function listenToTelegram(bot: Bot, signal: AbortSignal, options: Options): Promise<void> {
  const { log, hold = 25 } = options
  const api = bot.targets[0]?.target as TelegramBot & { name: string }
  let offset: number | undefined
  let failures = 0
  while (!signal.aborted) {
    const calledAt = performance.now()
    try {
      const parameters = {
        timeout: hold,
        allowed_updates: ['message', 'callback_query'],
        ...(offset === undefined ? {} : { offset }),
      }
      const updates = await callTelegram<unknown[]>(api, 'getUpdates', parameters, {
        signal,
        timeout: (hold + 10) * 1_000,
      })
      if (failures > 0) log.info({ target: api.name }, 'listening to Telegram again')
      failures = 0
      for (const update of updates) offset = (await take(update)) ?? offset
      // A server of this API that holds no calls must not be called all the time.
      if (updates.length === 0 && performance.now() - calledAt < shortestHold) await pause(shortestHold, signal)
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      if (failures === 1)
        log.warn({ target: api.name, finding: explain(error) }, 'cannot listen to Telegram; trying again')
      await pause(pauseAfter(error, failures), signal)
    }
  }

  /** Returns the offset that confirms it. */
  async function take(raw: unknown): Promise<number | undefined> {
    const { success, data: update } = updateSchema.safeParse(raw)
    if (success && 'callback_query' in update) await takePress(update.callback_query)
    if (success && 'message' in update) await takeMessage(update.message)
    const { data: any } = anyUpdate.safeParse(raw)
    return any && any.update_id + 1
  }

  async function takePress({
    id,
    from,
    data,
    message,
  }: Extract<TelegramUpdate, { callback_query: object }>['callback_query']) {
    const target = bot.targets[0]
    if (data === undefined || target === undefined) return
    const place: Record<string, string> = { query: id, ...(message ? { chat: String(message.chat.id) } : {}) }
    const press = { id: `telegram ${bot.id} ${id}`, target: target.id, account: String(from.id), button: data, place }
    await options.chat.takePress(press)
    options.onPress()
  }

  /** In a private chat everything is meant for the bot. In a group only `/pair` is, and a code does not belong there. */
  async function takeMessage({ from, chat, text }: Extract<TelegramUpdate, { message: object }>['message']) {
    const isPrivate = chat.type === 'private'
    if (from.is_bot || !(isPrivate || /^\/pair\b/.test(text))) return
    const account = { account: String(from.id), label: labelOf(from), chat: String(chat.id) }
    const reply = isPrivate
      ? await pairAccount(options.chat, bot, text, account)
      : 'Send the code in a private chat with this bot, where nobody else can use it.'
    await say(chat.id, reply)
  }

  /** A person who blocked the bot must not keep it from reading on. */
  async function say(chat: number, text: string) {
    await callTelegram(api, 'sendMessage', { chat_id: chat, text }, { signal }).catch(error => {
      signal.throwIfAborted()
      log.warn({ target: api.name, finding: explain(error) }, 'a reply was not sent')
    })
  }
}

function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error)
  if (error.status === 409) return `${error.message} (only one program can read the updates of a bot)`
  if (error.status === 401 || error.status === 404) return `${error.message} (is the token right?)`
  return error.message
}
