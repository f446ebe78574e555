import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicWire } from './wires/anthropic.ts'
import { chatWire } from './wires/chat.ts'
import { googleWire } from './wires/google.ts'
import { responsesWire } from './wires/responses.ts'
import { findInvalidItems, type Item, type ScriptedReply, type Seen, type Wire } from './wires/wire.ts'

export type Script = (seen: Seen, count: number) => ScriptedReply | Promise<ScriptedReply>

export interface ModelServer {
  url: string
  /** Every request, in order. */
  log: Seen[]
  /** The faults for which a real provider would have refused a request. */
  violations: string[]
  /** The requests that no format knows, as method and path. */
  unknown: string[]
  env: Record<string, string>
  close(): Promise<void>
}

const wires: readonly Wire[] = [anthropicWire, responsesWire, chatWire, googleWire]

/** Serves a scripted model in the wire format of the client, and refuses the requests that a provider would refuse. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const log: Seen[] = []
  const violations: string[] = []
  const unknown: string[] = []
  const server = createServer((request, response) => {
    handle(request, response).catch(error => response.destroy(error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    log,
    violations,
    unknown,
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'test-key',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'test-key',
      GEMINI_API_KEY: 'test-key',
      GOOGLE_BASE_URL: `${url}/v1beta`,
      BECKON_MODEL_URL: `${url}/v1`,
      BECKON_MODEL_KEY: 'test-key',
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname } = new URL(request.url ?? '/', url)
    const aside = answerAside(pathname)
    if (aside) return respond(response, 200, aside)
    const wire = wires.find(one => pathname.endsWith(one.path))
    if (!wire) {
      unknown.push(`${request.method} ${request.url}`)
      return respond(response, 404, { error: { message: `no ${request.url}` } })
    }
    const seen = wire.read(JSON.parse(Buffer.concat(chunks).toString()))
    const wrong = findInvalidItems(seen.items)
    violations.push(...wrong)
    if (wrong.length > 0)
      return respond(response, 400, { error: { type: 'invalid_request_error', message: wrong.join('; ') } })
    log.push(seen)
    const reply = await script(seen, log.length)
    if (reply.hang) return
    if (reply.status) {
      const type = reply.status === 429 ? 'rate_limit_error' : 'api_error'
      return respond(
        response,
        reply.status,
        { type: 'error', error: { type, message: reply.text ?? 'no' } },
        reply.headers,
      )
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of wire.write(reply, log.length)) {
      response.write(event)
      if (reply.pause) await new Promise(resolve => setTimeout(resolve, reply.pause))
    }
    response.end()
  }
}

/** What clients ask beside the conversation: whether the server is there, what it offers, how long a text is. */
function answerAside(path: string): object | null {
  if (path === '/') return {}
  if (path.endsWith('/models')) return { object: 'list', data: [{ id: 'scripted', object: 'model' }] }
  if (path.endsWith('/count_tokens')) return { input_tokens: 100 }
  if (path.endsWith(':countTokens')) return { totalTokens: 100 }
  return null
}

function respond(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** The texts of the tool results in the request, in order. */
export function resultsIn({ items }: Pick<Seen, 'items'>): string[] {
  return items.flatMap(item => (item.type === 'result' ? [item.output] : []))
}

/** How many replies of the model the request contains. */
export function repliesIn({ items }: Seen): number {
  return items.filter((item, i) => isReply(item) && !isReply(items[i - 1])).length
}

function isReply(item: Item | undefined): boolean {
  return item?.type === 'call' || item?.type === 'assistant'
}
