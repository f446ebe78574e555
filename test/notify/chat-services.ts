import type { ServerResponse } from 'node:http'
import { type Receiver, startReceiver } from './receiver.ts'

export interface ChatService extends Receiver {
  /** What people see, oldest first. */
  shown: Map<string, string>
  /** Answers the next calls like this, instead of doing what they say. */
  failures: ((response: ServerResponse) => void)[]
}

/** Slack's Web API, as far as a bot uses it: refusals come with HTTP 200, rate limits with 429 and Retry-After. */
export async function startSlack(token: string): Promise<ChatService> {
  const service = await startService((path, json, authorization, respond) => {
    if (authorization !== `Bearer ${token}`) return respond(200, { ok: false, error: 'invalid_auth' })
    if (json.channel !== 'C0123') return respond(200, { ok: false, error: 'channel_not_found' })
    const isNew = path === '/api/chat.postMessage'
    const ts = isNew ? `${1_700_000_000 + service.shown.size}.000100` : json.ts
    if (!isNew && !service.shown.has(ts)) return respond(200, { ok: false, error: 'message_not_found' })
    service.shown.set(ts, json.text)
    return respond(200, { ok: true, channel: 'C0123', ts, message: { text: json.text } })
  })
  return service
}

/** Telegram's bot API: every reply is JSON with `ok`, and a rate limit says how long in its parameters. */
export async function startTelegram(token: string): Promise<ChatService> {
  const service = await startService((path, json, _, respond) => {
    const fail = (code: number, description: string) => respond(code, { ok: false, error_code: code, description })
    const [, given, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    if (given !== token) return fail(401, 'Unauthorized')
    if (String(json.chat_id) !== '-100123') return fail(400, 'Bad Request: chat not found')
    const id = method === 'sendMessage' ? service.shown.size + 1 : json.message_id
    if (method === 'editMessageText') {
      if (!service.shown.has(String(id))) return fail(400, 'Bad Request: message to edit not found')
      if (service.shown.get(String(id)) === json.text) return fail(400, 'Bad Request: message is not modified')
    }
    service.shown.set(String(id), json.text)
    return respond(200, { ok: true, result: { message_id: id, chat: { id: -100123 }, text: json.text } })
  })
  return service
}

type Respond = (status: number, reply: object) => void
// biome-ignore lint/suspicious/noExplicitAny: whatever was sent, for a test to look at
type Answer = (path: string, json: any, authorization: string, respond: Respond) => void

async function startService(answer: Answer): Promise<ChatService> {
  const receiver = await startReceiver()
  const service: ChatService = Object.assign(receiver, { shown: new Map<string, string>(), failures: [] })
  receiver.reply = (response, { path, json, headers }) => {
    const fail = service.failures.shift()
    if (fail) return fail(response)
    answer(path, json, headers.authorization ?? '', (status, reply) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply)),
    )
  }
  return service
}
