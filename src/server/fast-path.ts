import type { IncomingMessage, ServerResponse } from 'node:http'
import { operation as entry, type Operation } from '../protocol/operations/index.ts'
import { ask, settle } from './ask-and-settle.ts'
import { callOf, sendJson } from './node-http.ts'
import { patternOf } from './path-patterns.ts'
import { parseJson } from './read-json.ts'
import type { RouteContext } from './route-context.ts'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

// Larger bodies, and those of unknown length, go through the app, which counts them as they are read.
const fastestUpTo = 1024 * 1024

/** Asking and settling, which is most of what a busy server does, without Hono around it. Null for all other calls. */
export function createFastPath(context: RouteContext): (request: IncomingMessage) => NodeHandler | null {
  const { authentication, calls, limits } = context
  const mostBytes = Math.min(fastestUpTo, limits.maxBody)
  const raise = context.operations.find(({ name }) => name === 'raise') as Operation
  // All of these are `PUT /api/requests/:id/VERB`.
  const settling = new Map(context.operations.flatMap(one => (one.settles ? [[lastPart(one.path), one] as const] : [])))
  const settlingPath = new RegExp(`^${patternOf(entry.get.path, '([\\w-]+)')}/(${[...settling.keys()].join('|')})$`)
  return ({ method, url = '', headers }) => {
    if (!(Number(headers['content-length']) <= mostBytes)) return null
    if (method === entry.raise.method && url === entry.raise.path) return observedAsk
    return method === 'PUT' && settlingPath.test(url) ? handleSettle : null
  }

  function observedAsk(request: IncomingMessage, response: ServerResponse) {
    return calls.observe(raise, traceparentOf(request), () => handleAsk(request, response))
  }

  async function handleAsk(request: IncomingMessage, response: ServerResponse) {
    const call = callOf(request)
    const [caller, text] = await Promise.all([authentication.authenticate(call), readText(request)])
    const idempotencyKey = call.header('idempotency-key')
    const reply = await ask(context, caller, { bytes: text.length, read: () => parseJson(text), idempotencyKey })
    sendJson(response, reply.status, reply.request, reply.headers)
  }

  async function handleSettle(request: IncomingMessage, response: ServerResponse) {
    const [, id = '', part = ''] = settlingPath.exec(request.url ?? '') ?? []
    const operation = settling.get(part) as Operation
    await calls.observe(operation, traceparentOf(request), async () => {
      const [caller, text] = await Promise.all([authentication.authenticate(callOf(request)), readText(request)])
      const reply = await settle(context, caller, operation, id, parseJson(text))
      sendJson(response, reply.status, reply.request, reply.headers)
    })
  }
}

/** The length was announced, and Node reads no more than that. */
function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', reject)
    request.on('end', () => resolve(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString()))
  })
}

export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const { traceparent } = headers
  return typeof traceparent === 'string' ? traceparent : undefined
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
