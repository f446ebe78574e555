import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Call, createLooks, type Reply, startHttpServer } from './http-server.ts'
import { acceptWebSocket, type ServerSocket } from './web-socket.ts'

// Slack's Web API and Socket Mode as far as an app meets them: https://docs.slack.dev/apis/events-api/using-socket-mode

export interface SlackMessage {
  channel: string
  ts: string
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: blocks of any kind, for a test to look at
  blocks: any[]
}

interface SlackUser {
  id: string
  name: string
}

export interface FakeSlack {
  url: string
  botToken: string
  appToken: string
  signingSecret: string
  messages: SlackMessage[]
  /** What only one person sees. */
  ephemeral: { channel: string; user: string; text: string }[]
  calls: { method: string; json: Record<string, unknown> }[]
  connections: ServerSocket[]
  /** How many connections were ever opened. */
  opened: number
  /** Somebody presses a button: the acknowledgement, or null where none came. */
  press(user: SlackUser, message: SlackMessage, label: string): Promise<object | null>
  /** The payload of such a press. */
  payloadOf(user: SlackUser, message: SlackMessage, label: string): object
  /** Sends a payload over one of the connections and waits for its acknowledgement. */
  send(type: string, payload: object): Promise<{ payload?: { text: string } } | null>
  command(user: SlackUser, text: string): Promise<{ payload?: { text: string } } | null>
  /** The headers and the body of a callback over HTTP. */
  signed(
    form: Record<string, string>,
    options?: { secret?: string; at?: number },
  ): { headers: Record<string, string>; body: string }
  refuseNext(method: string, reply: Reply): void
  until<T>(look: () => T | undefined | false | null, what: string): Promise<T>
}

export async function startFakeSlack(): Promise<FakeSlack> {
  const tickets = new Set<string>()
  const acknowledged = new Map<string, (ack: { payload?: { text: string } }) => void>()
  const refusals: { method: string; reply: Reply }[] = []
  const { until, notice } = createLooks()
  let clock = 1_700_000_000
  let turn = 0
  const { url: origin, server } = await startHttpServer(call => {
    const reply = answer(call)
    setImmediate(notice)
    return reply
  })
  server.on('upgrade', accept)
  const fake: FakeSlack = {
    url: `${origin}/api`,
    botToken: `xoxb-${randomUUID()}`,
    appToken: `xapp-1-${randomUUID()}`,
    signingSecret: randomUUID().replaceAll('-', ''),
    messages: [],
    ephemeral: [],
    calls: [],
    connections: [],
    opened: 0,
    press: (user, message, label) => fake.send('interactive', fake.payloadOf(user, message, label)),
    payloadOf(user, message, label) {
      const elements = message.blocks.flatMap(block => (block.type === 'actions' ? block.elements : []))
      const element = elements.find(one => one.text.text === label)
      if (!element) throw new Error(`no button ${label} under: ${message.text}`)
      clock += 1
      return {
        type: 'block_actions',
        user: { id: user.id, username: user.name, name: user.name, team_id: 'T01' },
        api_app_id: 'A01',
        container: { type: 'message', message_ts: message.ts, channel_id: message.channel, is_ephemeral: false },
        trigger_id: randomUUID(),
        team: { id: 'T01', domain: 'test' },
        channel: { id: message.channel, name: 'agents' },
        message: { ts: message.ts, text: message.text, blocks: message.blocks },
        response_url: `${origin}/actions/T01/${randomUUID()}`,
        actions: [{ ...element, block_id: 'b', action_ts: `${clock}.000100` }],
      }
    },
    async send(type, payload) {
      const socket = fake.connections[turn++ % fake.connections.length]
      if (!socket) return null
      const envelope_id = randomUUID()
      const ack = new Promise<{ payload?: { text: string } } | null>(resolve => {
        acknowledged.set(envelope_id, resolve)
        const timer = setTimeout(() => resolve(null), 3_000)
        timer.unref()
        const before = socket.onClose
        socket.onClose = () => {
          before()
          resolve(null)
        }
      })
      socket.send({ envelope_id, type, payload, accepts_response_payload: type === 'slash_commands' })
      return ack
    },
    command: (user, text) =>
      fake.send('slash_commands', {
        command: '/beckon',
        text,
        team_id: 'T01',
        user_id: user.id,
        user_name: user.name,
        channel_id: 'C01',
        response_url: `${origin}/commands/T01/${randomUUID()}`,
      }),
    signed(form, { secret = fake.signingSecret, at = Date.now() } = {}) {
      const body = new URLSearchParams(form).toString()
      const time = String(Math.floor(at / 1_000))
      const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': time,
        'x-slack-signature': `v0=${signature}`,
      }
      return { headers, body }
    },
    refuseNext: (method, reply) => void refusals.push({ method, reply }),
    until,
  }
  return fake

  function accept(request: IncomingMessage, stream: Duplex) {
    if (!tickets.delete(new URL(request.url ?? '', 'http://host').searchParams.get('ticket') ?? ''))
      return void stream.destroy()
    const socket = acceptWebSocket(request, stream)
    fake.connections.push(socket)
    fake.opened += 1
    socket.onClose = () => {
      fake.connections = fake.connections.filter(one => one !== socket)
      notice()
    }
    socket.onMessage = text => {
      const ack = JSON.parse(text)
      acknowledged.get(ack.envelope_id)?.(ack)
      acknowledged.delete(ack.envelope_id)
    }
    socket.send({
      type: 'hello',
      num_connections: fake.connections.length,
      debug_info: { host: 'applink-1', approximate_connection_time: 18_060 },
      connection_info: { app_id: 'A01' },
    })
    notice()
  }

  function answer({ path, headers, json }: Call): Reply {
    const method = path.replace(/^\/api\//, '')
    fake.calls.push({ method, json })
    const refusal = refusals.findIndex(one => one.method === method)
    if (refusal >= 0) return refusals.splice(refusal, 1)[0]?.reply as Reply
    const needed = method === 'apps.connections.open' ? fake.appToken : fake.botToken
    if (headers.authorization !== `Bearer ${needed}`) return no('invalid_auth')
    switch (method) {
      case 'auth.test':
        return ok({
          url: 'https://test.slack.com/',
          team: 'Test',
          user: 'beckon',
          team_id: 'T01',
          user_id: 'U00',
          bot_id: 'B01',
        })
      case 'apps.connections.open': {
        const ticket = randomUUID()
        tickets.add(ticket)
        return ok({ url: `${origin.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=A01` })
      }
      case 'chat.postMessage':
        return post(json)
      case 'chat.update':
        return update(json)
      case 'chat.postEphemeral':
        fake.ephemeral.push(json)
        return ok({ message_ts: '1.0' })
      default:
        return no('unknown_method')
    }
  }

  function post(json: { channel?: string; text?: string; blocks?: unknown[] }): Reply {
    if (!json.channel) return no('channel_not_found')
    const problem = problemOf(json.blocks ?? [])
    if (problem) return problem
    clock += 1
    // A message to a person goes to their conversation with the app.
    const channel = json.channel.replace(/^U/, 'D')
    const message = { channel, ts: `${clock}.000200`, text: json.text ?? '', blocks: json.blocks ?? [] }
    fake.messages.push(message)
    return ok({ channel, ts: message.ts, message })
  }

  function update(json: { channel: string; ts: string; text?: string; blocks?: unknown[] }): Reply {
    const message = fake.messages.find(one => one.channel === json.channel && one.ts === json.ts)
    if (!message) return no('message_not_found')
    const problem = problemOf(json.blocks ?? [])
    if (problem) return problem
    message.text = json.text ?? ''
    message.blocks = json.blocks ?? []
    return ok({ channel: json.channel, ts: json.ts, text: message.text })
  }

  // biome-ignore lint/suspicious/noExplicitAny: blocks of any kind
  function problemOf(blocks: any[]): Reply | null {
    const elements = blocks.flatMap(block => (block.type === 'actions' ? block.elements : []))
    const isBad = (one: { text: { text: string; type: string }; value?: string; action_id?: string }) =>
      one.text.type !== 'plain_text' || one.text.text.length > 75 || (one.value ?? '').length > 2000 || !one.action_id
    const ids = elements.map(({ action_id }) => action_id)
    return elements.some(isBad) || new Set(ids).size < ids.length || elements.length > 25 ? no('invalid_blocks') : null
  }
}

function ok(result: object): Reply {
  return { json: { ok: true, ...result } }
}

function no(error: string): Reply {
  return { json: { ok: false, error } }
}

export const rateLimited = (seconds: number): Reply => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  json: { ok: false, error: 'ratelimited' },
})
