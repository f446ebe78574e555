import { randomInt, randomUUID } from 'node:crypto'
import { type Call, createLooks, type Reply, startHttpServer } from './http-server.ts'

// Telegram's Bot API as far as a bot meets it: https://core.telegram.org/bots/api

export interface TelegramMessage {
  message_id: number
  chat: { id: number }
  text: string
  reply_markup?: { inline_keyboard: { text: string; callback_data?: string; url?: string }[][] }
}

interface Update {
  update_id: number
  [kind: string]: unknown
}

export interface FakeTelegram {
  url: string
  token: string
  /** The messages that people see now. */
  messages: TelegramMessage[]
  calls: { method: string; json: Record<string, unknown> }[]
  /** What people who pressed were shown. */
  shown: { query: string; text: string; alert: boolean }[]
  /** How many calls of getUpdates were ended because another one came. */
  conflicts: number
  /** Somebody writes to the bot. */
  write(from: TelegramUser, text: string, chat?: { id: number; type: string }): void
  /** Somebody presses a button; returns the id of the query. */
  press(from: TelegramUser, message: TelegramMessage, label: string): string
  /** A changed client sends whatever it likes. */
  pressRaw(from: TelegramUser, message: TelegramMessage, data: string): string
  /** Sends the updates again that were read and not confirmed: as to a bot that died. */
  unconfirmed(): number
  /** The next call of a method is refused. */
  refuseNext(method: string, reply: Reply | Promise<Reply>): void
  /** Once this is so. */
  until<T>(look: () => T | undefined | false | null, what: string): Promise<T>
}

interface TelegramUser {
  id: number
  first_name: string
  username?: string
}

export async function startFakeTelegram(): Promise<FakeTelegram> {
  const token = `${randomInt(1e9)}:AA${randomUUID().replaceAll('-', '')}`
  let updates: Update[] = []
  let lastUpdate = 100
  let lastMessage = 0
  const openQueries = new Set<string>()
  const refusals: { method: string; reply: Reply | Promise<Reply> }[] = []
  const { until, notice } = createLooks()
  let endPoll: ((reply: Reply) => void) | null = null
  let offset = 0

  const { url } = await startHttpServer(async call => {
    const reply = await answer(call)
    setImmediate(notice)
    return reply
  })
  const fake: FakeTelegram = {
    url,
    token,
    messages: [],
    calls: [],
    shown: [],
    conflicts: 0,
    write(from, text, chat = { id: from.id, type: 'private' }) {
      push({ message: { message_id: ++lastMessage, from: { is_bot: false, ...from }, chat, date: 0, text } })
    },
    press(from, message, label) {
      const button = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text === label)
      if (!button?.callback_data) throw new Error(`no button ${label} under: ${message.text}`)
      return fake.pressRaw(from, message, button.callback_data)
    },
    pressRaw(from, message, data) {
      const id = String(randomInt(2 ** 47))
      openQueries.add(id)
      push({ callback_query: { id, from: { is_bot: false, ...from }, message, chat_instance: '1', data } })
      return id
    },
    unconfirmed: () => updates.length,
    refuseNext: (method, reply) => void refusals.push({ method, reply }),
    until,
  }
  return fake

  function push(update: object) {
    updates.push({ update_id: ++lastUpdate, ...update })
    const poll = endPoll
    endPoll = null
    poll?.(ok(pending()))
  }

  function pending(): Update[] {
    return updates.filter(({ update_id }) => update_id >= offset).slice(0, 100)
  }

  async function answer({ path, json: sent, gone }: Call): Promise<Reply> {
    const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    if (given !== token) return refused(401, 'Unauthorized')
    const json = sent ?? {}
    fake.calls.push({ method, json })
    const refusal = refusals.findIndex(one => one.method === method)
    if (refusal >= 0) return refusals.splice(refusal, 1)[0]?.reply as Reply
    switch (method) {
      case 'getMe':
        return ok({ id: Number(token.split(':')[0]), is_bot: true, first_name: 'Beckon', username: 'beckon_test_bot' })
      case 'getUpdates':
        return getUpdates(json, gone)
      case 'sendMessage':
        return sendMessage(json)
      case 'editMessageText':
        return editMessage(json)
      case 'answerCallbackQuery':
        return answerQuery(json)
      default:
        return refused(404, 'Not Found')
    }
  }

  /** An update is confirmed as soon as getUpdates is called with a higher offset. A second call ends the first. */
  function getUpdates(json: { offset?: number; timeout?: number }, gone: Promise<void>): Reply | Promise<Reply> {
    if (endPoll) {
      fake.conflicts += 1
      endPoll(
        refused(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        ),
      )
      endPoll = null
    }
    if (json.offset !== undefined) {
      offset = json.offset
      updates = updates.filter(({ update_id }) => update_id >= offset)
    }
    if (pending().length > 0 || !json.timeout) return ok(pending())
    return new Promise(resolve => {
      const end = (reply: Reply) => resolve(reply)
      endPoll = end
      void gone.then(() => {
        if (endPoll === end) endPoll = null
      })
    })
  }

  function sendMessage(json: TelegramMessage & { chat_id: number | string }): Reply {
    const problem = problemOf(json)
    if (problem) return problem
    const message = {
      message_id: ++lastMessage,
      chat: { id: Number(json.chat_id) },
      date: 0,
      text: json.text,
      ...markup(json),
    }
    fake.messages.push(message)
    return ok(message)
  }

  function editMessage(json: TelegramMessage & { chat_id: number | string }): Reply {
    const message = fake.messages.find(
      one => one.message_id === json.message_id && one.chat.id === Number(json.chat_id),
    )
    if (!message) return refused(400, 'Bad Request: message to edit not found')
    const problem = problemOf(json)
    if (problem) return problem
    if (message.text === json.text && JSON.stringify(message.reply_markup) === JSON.stringify(json.reply_markup)) {
      return refused(400, 'Bad Request: message is not modified')
    }
    message.text = json.text
    // Buttons stay only where they are sent again.
    delete message.reply_markup
    Object.assign(message, markup(json))
    return ok(message)
  }

  function problemOf({ text, chat_id, reply_markup }: TelegramMessage & { chat_id: number | string }): Reply | null {
    if (!text) return refused(400, 'Bad Request: message text is empty')
    if (text.length > 4096) return refused(400, 'Bad Request: message is too long')
    if (!/^-?\d+$/.test(String(chat_id))) return refused(400, 'Bad Request: chat not found')
    for (const { callback_data, url } of reply_markup?.inline_keyboard.flat() ?? []) {
      if (callback_data !== undefined && Buffer.byteLength(callback_data) > 64)
        return refused(400, 'Bad Request: BUTTON_DATA_INVALID')
      if (url !== undefined && /^https?:\/\/(localhost|127\.)/.test(url))
        return refused(400, 'Bad Request: inline keyboard button URL is invalid')
    }
    return null
  }

  function answerQuery(json: { callback_query_id: string; text?: string; show_alert?: boolean }): Reply {
    if (!openQueries.delete(json.callback_query_id)) {
      return refused(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid')
    }
    if ((json.text ?? '').length > 200) return refused(400, 'Bad Request: MESSAGE_TOO_LONG')
    fake.shown.push({ query: json.callback_query_id, text: json.text ?? '', alert: json.show_alert ?? false })
    return ok(true)
  }
}

function markup({ reply_markup }: TelegramMessage) {
  return reply_markup === undefined ? {} : { reply_markup }
}

function ok(result: unknown): Reply {
  return { json: { ok: true, result } }
}

export function refused(error_code: number, description: string, parameters?: object): Reply {
  return { status: error_code, json: { ok: false, error_code, description, ...(parameters ? { parameters } : {}) } }
}
