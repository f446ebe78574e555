import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { SharedHub } from '../core/access.ts'
import type { Addresses } from './addresses.ts'
import type { Admission, Call } from './admission.ts'
import { HttpFault, replyTo } from './errors.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { parseJson, readBody, refuseLength } from './read-json.ts'
import { eventRoutes } from './routes/events.ts'
import { requestRoutes } from './routes/requests.ts'
import { runRoutes } from './routes/runs.ts'
import { sessionRoutes } from './routes/session.ts'
import { tokenRoutes } from './routes/tokens.ts'
import type { Shell } from './shell.ts'
import type { Slowing } from './slowing.ts'
import type { Visitor, Visitors } from './visitors.ts'

/** What every route is given. */
export interface Parts {
  hub: SharedHub
  addresses: Addresses
  admission: Admission
  visitors: Visitors
  slowing: Slowing
  shell: Shell
  metrics: Metrics
  log: Log
  version: string
  /** Where the logs of runs lie; null where this server has none. */
  home: string | null
}

export type Env = { Bindings: Partial<HttpBindings>; Variables: { visitor: Visitor } }

/** Everything but what is held open: that is written to the connection itself, by `listener.ts`. */
export function createApp(parts: Parts): Hono<Env> {
  const { admission, addresses, metrics, shell, version } = parts
  const app = new Hono<Env>()
  app.onError((error, c) => {
    const { status, headers, body } = replyTo(error)
    if (status >= 500) parts.log.error({ path: c.req.path, error }, 'a call failed')
    return c.json(body, status as ContentfulStatusCode, { ...apiHeaders, ...headers })
  })
  app.get('/healthz', c => c.json({ ok: true, version }, 200, apiHeaders))
  app.use('/api/*', async (c, next) => {
    if (c.req.path === '/api/session' && c.req.method === 'POST') {
      admission.checkPlace(callOf(c))
      return next()
    }
    c.set('visitor', await admission.admit(callOf(c)))
    return next()
  })
  app.get('/metrics', async c => {
    await admission.admit(callOf(c))
    return c.text(metrics.print(), 200, { 'content-type': 'text/plain; version=0.0.4', 'cache-control': 'no-store' })
  })
  sessionRoutes(app, parts)
  requestRoutes(app)
  eventRoutes(app)
  runRoutes(app, parts)
  tokenRoutes(app, parts)
  app.all('/api/*', c => {
    throw new HttpFault(404, 'not_found', `There is no ${c.req.method} ${c.req.path}. See /api/openapi.json.`)
  })
  app.get('*', c => {
    admission.checkPlace(callOf(c))
    const { status, headers, body } = shell.find(c.req.path, c.req.header('accept-encoding'), addresses.isSecure)
    return c.body(body, status as ContentfulStatusCode, headers)
  })
  app.notFound(c => {
    throw new HttpFault(405, 'not_found', `There is no ${c.req.method} ${c.req.path}.`)
  })
  return app
}

export const apiHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function callOf(c: Context<Env>): Call {
  return {
    method: c.req.method,
    remote: c.env?.incoming?.socket.remoteAddress ?? '',
    header: name => c.req.header(name),
  }
}

/** The document that was sent. */
export async function bodyOf(c: Context<Env>): Promise<unknown> {
  const length = c.req.header('content-length')
  refuseLength(length)
  if (length !== undefined) return parseJson(await c.req.text())
  const body = c.req.raw.body
  return body ? parseJson(await readBody(body)) : {}
}

export function reply(c: Context<Env>, body: object, status: 200 | 201 = 200, headers: Record<string, string> = {}) {
  return c.json(body, status, { ...apiHeaders, ...headers })
}
