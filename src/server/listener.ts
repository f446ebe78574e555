import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { invalid } from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { Visitor } from './access/callers.ts'
import { createApp } from './app.ts'
import { HttpFault } from './errors.ts'
import { createQuickWay, type Way } from './fast-path.ts'
import type { Streams } from './live/event-streams.ts'
import type { Holding } from './live/long-poll.ts'
import { callOf, fail } from './node-http.ts'
import { refuseOddCall } from './refuse-malformed.ts'
import type { Parts } from './route-context.ts'
import { eventsSchema } from './routes/events.ts'

const longestWait = 600

interface Held {
  streams: Streams
  holding: Holding
  /** Of one visitor. */
  mostOpen: number
}

/**
 * What is held open for long (streams, and those who wait) is kept as the bare connection and nothing else; what every
 * cycle does goes the quick way; all other calls go to the app.
 */
export function createListener(parts: Parts, { streams, holding, mostOpen }: Held): RequestListener {
  const app = getRequestListener(createApp(parts).fetch)
  const quickWay = createQuickWay(parts)
  const { addresses, admission, metrics, log } = parts
  return (request, response) => {
    response.on('finish', count)
    try {
      refuseOddCall(request, addresses)
    } catch (error) {
      return fail(response, error)
    }
    const way = quickWay(request) ?? heldCall(request)
    if (!way) return void app(request, response)
    way(request, response).catch(error => {
      fail(response, error)
      if (response.statusCode >= 500) log.error({ error }, 'a call failed')
    })
  }

  // One function for all calls: a closure for each is memory for each.
  function count(this: ServerResponse) {
    metrics.counted(this.req.method ?? '', this.statusCode)
  }

  function heldCall(request: IncomingMessage): Way | null {
    const { method, url = '' } = request
    if (method !== 'GET' || !url.startsWith('/api/')) return null
    if (/^\/api\/events(\?|$)/.test(url) && /\btext\/event-stream\b/.test(request.headers.accept ?? '')) return stream
    return /^\/api\/requests\/[\w-]+\?(.*&)?wait=/.test(url) ? wait : null
  }

  async function stream(request: IncomingMessage, response: ServerResponse) {
    const visitor = await admission.admit(callOf(request))
    refuseTooMany(visitor)
    if (request.httpVersion === '1.0') throw new HttpFault(505, 'unsupported', 'A stream needs HTTP/1.1.')
    const lastId = request.headers['last-event-id']
    const query = Object.fromEntries(urlOf(request).searchParams)
    const { since } = parse(eventsSchema, { ...query, ...(lastId ? { since: lastId, after: undefined } : {}) })
    forgetHeaders(request)
    await streams.open(visitor, response, since ?? null)
  }

  async function wait(request: IncomingMessage, response: ServerResponse) {
    const visitor = await admission.admit(callOf(request))
    refuseTooMany(visitor)
    const { pathname, searchParams } = urlOf(request)
    const seconds = Number(searchParams.get('wait'))
    if (!(seconds >= 0)) throw invalid([{ path: 'wait', message: 'must be a number of seconds' }])
    forgetHeaders(request)
    const id = pathname.slice('/api/requests/'.length)
    await holding.hold(id, visitor, response, Math.min(seconds, longestWait))
  }

  /** Each costs memory for as long as it is open, and a token can be in anybody's hands. */
  function refuseTooMany({ open }: Visitor) {
    if (open >= mostOpen) throw new HttpFault(429, 'too_many', `This token has ${open} waits and streams open already.`)
  }
}

/** Nobody looks at them again, however long it is held. */
function forgetHeaders(request: IncomingMessage) {
  request.rawHeaders = []
  request.headers = {}
}

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://host')
}
