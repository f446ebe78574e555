import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SharedHub } from '../hub/access.ts'
import type { Scope } from '../protocol/index.ts'
import { BeckonError } from '../protocol/index.ts'
import { addressesOf } from './access/addresses.ts'
import { createAdmission } from './access/authenticate.ts'
import { createVisitors } from './access/callers.ts'
import { createSlowing } from './access/sign-in-throttle.ts'
import type { Judge } from './judge.ts'
import { createListener } from './listener.ts'
import { createFeed } from './live/event-feed.ts'
import { createStreams } from './live/event-streams.ts'
import { createHolding } from './live/long-poll.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { fail, send } from './node-http.ts'
import { createPace, type Pace, usualPace } from './rate-limit.ts'
import { answerWhatIsNoCall } from './refuse-malformed.ts'
import { signInUrl } from './routes/session.ts'
import { createClosing } from './shutdown.ts'
import { createShell } from './static-page.ts'

export interface ServeOptions {
  hub: SharedHub
  log: Log
  version: string
  host?: string
  port?: number
  publicUrl?: string | null
  names?: readonly string[]
  tls?: { cert: Buffer; key: Buffer } | null
  /** The built page; null where there is none. */
  web?: string | null
  home?: string | null
  judge?: Judge | null
  /** How fast an agent may ask; null for as fast as it can. */
  pace?: Pace | null
  /** Milliseconds between two signs of life on a stream. */
  heartbeat?: number
  /** Milliseconds that a caller has to send the headers, and all of the call. */
  patience?: { headers: number; all: number }
  /** How many waits and streams one token may have open. */
  mostOpen?: number
}

export interface Served {
  /** Where people open it. */
  url: string
  port: number
  /** An address that signs a browser in, once. */
  signInLink(who: { name: string; scope: Scope }): Promise<string>
  /** Shows one more number to Prometheus. */
  gauge: Metrics['gauge']
  /** Takes no more calls, lets those under way end, and tells those who wait to come again. */
  close(): Promise<void>
}

// Longer than any client or proxy keeps a connection that it does not use: who closes first must not be we.
const keepAlive = 75_000
const usuallyOpen = 20_000
// A file of 100 MiB takes a phone a while.
const usualPatience = { headers: 20_000, all: 300_000 }
// Longer than any wait. Who takes nothing of a reply for so long will take nothing.
const silence = 700_000

export async function serve(options: ServeOptions): Promise<Served> {
  const { hub, log, version, host = '127.0.0.1', port = 4141, publicUrl = null, names = [], tls = null } = options
  const { headers, all } = options.patience ?? usualPatience
  const manners = {
    keepAliveTimeout: keepAlive,
    headersTimeout: headers,
    requestTimeout: all,
    connectionsCheckingInterval: Math.ceil(headers / 4),
    // We say it in our own words.
    requireHostHeader: false,
  }
  const server: Server = tls ? createTlsServer({ ...manners, ...tls }) : createServer(manners)
  server.timeout = silence
  // Those over a limit would be left out without a word, and one of them may be the Origin; their size is limited anyway.
  server.maxHeadersCount = 0
  answerWhatIsNoCall(server)
  const closeServer = createClosing(server)
  await listen(server, host, port)
  const actual = (server.address() as AddressInfo).port
  const addresses = addressesOf({ host, port: actual, tls: tls !== null, publicUrl, names })
  const visitors = createVisitors(hub)
  const slowing = createSlowing()
  const feed = createFeed(hub)
  const streams = createStreams(hub, feed, options.heartbeat ?? 15_000)
  const holding = createHolding(hub, feed, { send, fail })
  visitors.onEnd(visitor => {
    streams.end(visitor)
    holding.end(visitor)
  })
  const metrics = createMetrics()
  metrics.gauge('beckon_streams_open', 'Streams of events that are open.', streams.count)
  metrics.gauge('beckon_streams_buffered_bytes', 'Bytes that readers of streams have not taken yet.', streams.buffered)
  metrics.gauge('beckon_waits_held', 'Calls that wait for an answer.', holding.count)
  metrics.gauge('beckon_last_event', 'The number of the last event that was told.', feed.last)
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  const admission = createAdmission(addresses, visitors, slowing)
  const parts = {
    hub,
    addresses,
    admission,
    visitors,
    slowing,
    shell: createShell(options.web ?? null),
    metrics,
    log,
    version,
    asking: holding.asking,
    settled: holding.tell,
    pace: createPace(options.pace === undefined ? usualPace : options.pace),
    home: options.home ?? null,
    judge: options.judge ?? null,
  }
  server.on('request', createListener(parts, { streams, holding, mostOpen: options.mostOpen ?? usuallyOpen }))
  log.info({ host, port: actual, tls: tls !== null }, 'listening')

  return {
    url: addresses.url,
    port: actual,
    signInLink: async who => signInUrl(addresses.url, (await hub.access.makeLink(who)).secret),
    gauge: metrics.gauge,
    close,
  }

  async function close() {
    const closed = closeServer()
    holding.close()
    streams.close()
    await closed
    feed.close()
    visitors.close()
    log.info({}, 'stopped')
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const hint =
      code === 'EADDRINUSE'
        ? `Port ${port} is taken. Choose another with --port.`
        : `Cannot listen on ${host}:${port} (${code}).`
    throw new BeckonError('invalid', hint)
  }
}
