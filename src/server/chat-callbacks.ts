import type { Context } from 'hono'
import { HttpFault } from './errors.ts'
import { readBytes, refuseLength } from './read-json.ts'
import { apiHeaders, callOf, type Env, type RouteContext } from './route-context.ts'

// Slack sends the message with the press.
const mostBytes = 256 * 1024

/** Passes what is sent to /chat/… on, and slows down callers who prove nothing. */
export async function answerChat(c: Context<Env>, context: RouteContext): Promise<Response> {
  const { answerCallback, addresses, signInThrottle, clientAddress } = context
  const call = callOf(c)
  if (!addresses.knowsHost(call.header('host'))) {
    throw new HttpFault(421, 'not_allowed', 'This server does not know that host name. See --public-url.')
  }
  if (!answerCallback) throw new HttpFault(404, 'not_found', `There is no ${c.req.path}.`)
  const { status, headers, body, isForged } = await answerCallback({
    method: call.method,
    path: c.req.path,
    header: call.header,
    body: () => bodyOf(c),
  })
  if (isForged) await signInThrottle.delayFailure(clientAddress(call))
  return new Response(body === '' ? null : body, {
    status,
    headers: { ...apiHeaders, 'content-type': 'text/plain; charset=utf-8', ...headers },
  })
}

async function bodyOf(c: Context<Env>): Promise<Buffer> {
  refuseLength(c.req.header('content-length'), mostBytes)
  return c.req.raw.body ? readBytes(c.req.raw.body, mostBytes) : Buffer.alloc(0)
}
