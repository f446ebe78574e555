import { randomUUID } from 'node:crypto'
import { type Call, createLooks, type Reply, startHttpServer } from './http-server.ts'

// An ntfy server with `auth-default-access: deny-all`, as far as a publisher and a phone meet it: https://docs.ntfy.sh

interface Action {
  action: 'http' | 'view' | 'broadcast'
  label: string
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
  clear?: boolean
}

export interface NtfyMessage {
  topic: string
  title?: string
  message: string
  click?: string
  sequence_id?: string
  actions?: Action[]
}

export interface FakeNtfy {
  url: string
  token: string
  /** Topics that everybody may read and write. */
  open: Set<string>
  messages: NtfyMessage[]
  until<T>(look: () => T | undefined | false | null, what: string): Promise<T>
}

export async function startFakeNtfy(): Promise<FakeNtfy> {
  const { until, notice } = createLooks()
  const { url } = await startHttpServer(call => {
    const reply = answer(call)
    setImmediate(notice)
    return reply
  })
  const fake: FakeNtfy = {
    url,
    token: `tk_${randomUUID().replaceAll('-', '').slice(0, 29)}`,
    open: new Set(),
    messages: [],
    until,
  }
  return fake

  function answer({ method, path, headers, json }: Call): Reply {
    const [, topic] = /^\/([\w-]+)\/auth$/.exec(path) ?? []
    if (method === 'GET' && topic) return mayUse(topic, headers) ?? { json: { success: true } }
    if (method !== 'POST' || path !== '/') return no(404, 40401, 'page not found')
    const message = json as NtfyMessage
    const refusal = mayUse(message.topic, headers)
    if (refusal) return refusal
    if ((message.actions ?? []).length > 3) return no(400, 40018, 'invalid request: actions invalid, too many actions')
    if ((message.actions ?? []).some(({ label, url }) => !label || !url))
      return no(400, 40018, 'invalid request: actions invalid')
    fake.messages.push(message)
    return { json: { id: randomUUID().slice(0, 12), time: 0, event: 'message', ...message } }
  }

  function mayUse(topic: string, headers: Call['headers']): Reply | null {
    if (fake.open.has(topic) || headers.authorization === `Bearer ${fake.token}`) return null
    return headers.authorization === undefined ? no(403, 40301, 'forbidden') : no(401, 40101, 'unauthorized')
  }
}

function no(http: number, code: number, error: string): Reply {
  return { status: http, json: { code, http, error, link: 'https://ntfy.sh/docs/publish/' } }
}
