import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { parse } from '../core/parse.ts'
import type { Request } from '../protocol/index.ts'
import type { Call } from './admission.ts'
import { createApp } from './app.ts'
import { HttpFault, replyTo } from './errors.ts'
import { apiHeaders, type Parts } from './exchange.ts'
import type { Holding } from './holding.ts'
import { eventsSchema } from './routes/events.ts'
import type { Streams } from './streams.ts'

const longestWait = 600

interface Held {
  streams: Streams
  holding: Holding
}

/**
 * What is held open for long (streams, and those who wait) is kept as the bare connection and nothing else; all other
 * calls go to the app.
 */
export function createListener(parts: Parts, { streams, holding }: Held): RequestListener {
  const app = getRequestListener(createApp(parts).fetch)
  const { admission, metrics } = parts
  return (request, response) => {
    response.on('finish', count)
    const held = heldCall(request)
    if (!held) return void app(request, response)
    held(request, response).catch(error => fail(response, error))
  }

  // One function for all calls: a closure for each is memory for each.
  function count(this: ServerResponse) {
    metrics.counted(this.req.method ?? '', this.statusCode)
  }

  function heldCall(request: IncomingMessage) {
    const { method, url = '' } = request
    if (method !== 'GET' || !url.startsWith('/api/')) return null
    if (/^\/api\/events(\?|$)/.test(url) && /\btext\/event-stream\b/.test(request.headers.accept ?? '')) return stream
    return /^\/api\/requests\/[\w-]+\?(.*&)?wait=/.test(url) ? wait : null
  }

  async function stream(request: IncomingMessage, response: ServerResponse) {
    const visitor = await admission.admit(callOf(request))
    const lastId = request.headers['last-event-id']
    const query = Object.fromEntries(urlOf(request).searchParams)
    const { since } = parse(eventsSchema, { ...query, ...(lastId ? { since: lastId } : {}) })
    forgetHeaders(request)
    await streams.open(visitor, response, since ?? null)
  }

  async function wait(request: IncomingMessage, response: ServerResponse) {
    const visitor = await admission.admit(callOf(request))
    const { pathname, searchParams } = urlOf(request)
    const seconds = Number(searchParams.get('wait'))
    if (!(seconds >= 0)) throw new HttpFault(422, 'invalid', 'wait: must be a number of seconds')
    forgetHeaders(request)
    const id = pathname.slice('/api/requests/'.length)
    await holding.hold(id, visitor, response, Math.min(seconds, longestWait))
  }
}

/** Nobody looks at them again, however long it is held. */
function forgetHeaders(request: IncomingMessage) {
  request.rawHeaders = []
  request.headers = {}
}

export function send(response: ServerResponse, request: Request): void {
  sendJson(response, 200, JSON.stringify(request))
}

export function fail(response: ServerResponse, error: unknown): void {
  const { status, headers, body } = replyTo(error)
  if (response.headersSent) return void response.destroy()
  sendJson(response, status, JSON.stringify(body), headers)
}

function sendJson(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) {
  response.writeHead(status, {
    ...apiHeaders,
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function callOf({ method = '', headers, socket }: IncomingMessage): Call {
  return {
    method,
    remote: socket.remoteAddress ?? '',
    header: name => {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    },
  }
}

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://host')
}
