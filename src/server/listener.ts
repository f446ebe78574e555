import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { invalid } from '../protocol/index.ts'
import { type Operation, operation } from '../protocol/operations/index.ts'
import { withoutBase } from './access/addresses.ts'
import type { SignedInCaller } from './access/callers.ts'
import { createApp } from './app.ts'
import { HttpFault } from './errors.ts'
import { createFastPath, type NodeHandler, traceparentOf } from './fast-path.ts'
import { readEventsQuery } from './handlers/events.ts'
import type { Streams } from './live/event-streams.ts'
import type { LongPolls } from './live/long-poll.ts'
import { callOf, fail } from './node-http.ts'
import { patternOf } from './path-patterns.ts'
import { refuseAmbiguousCall } from './refuse-malformed.ts'
import type { RouteContext } from './route-context.ts'

const streamPath = new RegExp(`^${patternOf(operation.events.path)}(\\?|$)`)
const longPollPath = new RegExp(`^${patternOf(operation.get.path, '[\\w-]+')}\\?(.*&)?wait=`)

interface HeldOpen {
  streams: Streams
  longPolls: LongPolls
}

/**
 * Streams and long polls bypass the app: each is held open as a bare connection and nothing else, to save memory. Asking
 * and settling take the fast path. All other calls go to the app.
 */
export function createListener(context: RouteContext, { streams, longPolls }: HeldOpen): RequestListener {
  const app = getRequestListener(createApp(context).fetch)
  const fastPath = createFastPath(context)
  const { addresses, authentication, metrics, log, limits } = context
  const get = context.operations.find(({ name }) => name === 'get') as Operation
  return (request, response) => {
    response.on('finish', count)
    try {
      refuseAmbiguousCall(request, addresses)
      if (addresses.base !== '' && enterBase(request, response, addresses.base)) return
    } catch (error) {
      return fail(response, error)
    }
    const handle = fastPath(request) ?? heldOpen(request)
    if (!handle) return void app(request, response)
    handle(request, response).catch(error => {
      fail(response, error)
      if (response.statusCode >= 500) log.error({ error }, 'a call failed')
    })
  }

  // One function for all calls: a closure for each is memory for each.
  function count(this: ServerResponse) {
    metrics.countCall(this.req.method ?? '', this.statusCode)
  }

  function heldOpen(request: IncomingMessage): NodeHandler | null {
    const { method, url = '' } = request
    if (method !== 'GET' || !url.startsWith('/api/')) return null
    if (streamPath.test(url) && /\btext\/event-stream\b/.test(request.headers.accept ?? '')) return openStream
    return longPollPath.test(url) ? longPoll : null
  }

  async function openStream(request: IncomingMessage, response: ServerResponse) {
    const caller = await authentication.authenticate(callOf(request))
    refuseTooMany(caller)
    if (request.httpVersion === '1.0') throw new HttpFault(505, 'unsupported', 'A stream needs HTTP/1.1.')
    const lastId = request.headers['last-event-id']
    const query = Object.fromEntries(urlOf(request).searchParams)
    const { since } = readEventsQuery({ ...query, ...(lastId ? { since: lastId, after: undefined } : {}) })
    forgetHeaders(request)
    await streams.open(caller, response, since ?? null)
  }

  async function longPoll(request: IncomingMessage, response: ServerResponse) {
    const caller = await authentication.authenticate(callOf(request))
    refuseTooMany(caller)
    const { pathname, searchParams } = urlOf(request)
    const seconds = Number(searchParams.get('wait'))
    if (!(seconds >= 0)) throw invalid([{ path: 'wait', message: 'must be a number of seconds' }])
    context.calls.traceHeld(get, traceparentOf(request), response)
    forgetHeaders(request)
    const id = pathname.slice(pathname.lastIndexOf('/') + 1)
    const orMessage = ['true', '1'].includes(searchParams.get('orMessage') ?? '')
    await longPolls.hold(id, caller, response, { seconds: Math.min(seconds, limits.maxWait), orMessage })
  }

  /** Each costs memory for as long as it is open, and a token may be in the wrong hands. */
  function refuseTooMany({ open }: SignedInCaller) {
    if (open >= limits.maxOpen)
      throw new HttpFault(429, 'too_many', `This token has ${open} long polls and streams open already.`)
  }
}

/** Removes the path that everything is served below. True where it was asked for itself, and a redirect was sent. */
function enterBase(request: IncomingMessage, response: ServerResponse, base: string): boolean {
  const { url = '' } = request
  const isBase = url === base || url.startsWith(`${base}?`)
  // The worker looks after what is below the path, with a slash.
  if (isBase) response.writeHead(308, { location: `${base}/${url.slice(base.length)}`, 'content-length': 0 }).end()
  else request.url = withoutBase(url, base)
  return isBase
}

/** Nobody reads them again, however long the connection is open. */
function forgetHeaders(request: IncomingMessage) {
  request.rawHeaders = []
  request.headers = {}
}

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://host')
}
