import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SharedHub } from '../hub/shared-hub.ts'
import type { Scope } from '../protocol/index.ts'
import { BeckonError } from '../protocol/index.ts'
import { operations as allOperations, type Operation } from '../protocol/operations/index.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { addressesOf } from './access/addresses.ts'
import { createAuthentication } from './access/authenticate.ts'
import { createSignedInCallers } from './access/callers.ts'
import { createClientAddress } from './access/client-address.ts'
import { createSignInThrottle } from './access/sign-in-throttle.ts'
import { makePhoneLink, signInUrl } from './access/sign-in-url.ts'
import { type ServerLimits, usualLimits } from './limits.ts'
import { createListener } from './listener.ts'
import { createFeed } from './live/event-feed.ts'
import { createStreams } from './live/event-streams.ts'
import { createLongPolls } from './live/long-poll.ts'
import { type AnswerMcp, createMcpCalls } from './live/mcp-calls.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { fail, send } from './node-http.ts'
import { createCallObserver } from './observe-calls.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'
import { createReadiness } from './readiness.ts'
import { answerMalformedCalls } from './refuse-malformed.ts'
import type { AnswerCallback, LocalRunLogs, Restorer, RouteContext, SaveUpload } from './route-context.ts'
import { createGracefulClose } from './shutdown.ts'
import { createStaticPage } from './static-page.ts'

export interface ServeOptions {
  hub: SharedHub
  log: Log
  version: string
  host?: string
  port?: number
  publicUrl?: string | null
  names?: readonly string[]
  /** Proxies, by address or network, whose X-Forwarded-For is believed. */
  trustedProxies?: readonly string[]
  tls?: { cert: Buffer; key: Buffer } | null
  /** The built page; null where there is none. */
  web?: string | null
  /** Null where no run is supervised on this machine. */
  runLogs?: LocalRunLogs | null
  /** Null where this server stores no files. */
  saveUpload?: SaveUpload | null
  /** Null where no files are restored. */
  restorer?: Restorer | null
  /** Takes calls of chats: Slack, and buttons of ntfy. */
  answerCallback?: AnswerCallback | null
  /** Answers MCP calls; null where this server does not speak MCP. */
  mcp?: AnswerMcp | null
  /** Traces calls; null where nothing is traced. */
  tracer?: Tracer | null
  /** How fast an agent may ask, instead of what `limits` says; null for no limit. */
  rateLimit?: RateLimit | null
  /** Milliseconds between two heartbeats on a stream. */
  heartbeat?: number
  /** Milliseconds that a caller has to send the headers, and the whole call. */
  timeouts?: { headers: number; all: number }
  limits?: Partial<ServerLimits>
  operations?: readonly Operation[]
}

export interface Served {
  /** Where people open it. */
  url: string
  port: number
  /** Makes an address that signs a browser in, once. */
  signInLink(who: { name: string; scope: Scope }): Promise<string>
  /** Makes an address that signs a phone in, once, to answer; null where no phone can reach this server. */
  phoneLink(name: string): Promise<string | null>
  /** Counts notifications in the metrics. */
  countNotification: Metrics['countNotification']
  /** Accepts no more calls, lets those under way finish, and sends waiting callers away to come back later. */
  close(): Promise<void>
}

// Longer than clients and proxies keep an idle connection: the server must not be the one that closes it first.
const keepAlive = 75_000
// A file of 100 MiB takes a phone a while.
const usualTimeouts = { headers: 20_000, all: 300_000 }
// Longer than any long poll. A caller that reads nothing of a reply for so long is gone.
const silence = 700_000

export async function serve(options: ServeOptions): Promise<Served> {
  const { hub, log, version, host = '127.0.0.1', port = 4141, publicUrl = null, names = [], tls = null } = options
  const { headers, all } = options.timeouts ?? usualTimeouts
  const limits = { ...usualLimits, ...options.limits }
  const rateLimit = { burst: limits.askBurst, perSecond: limits.asksPerSecond }
  const clientAddress = createClientAddress(options.trustedProxies ?? [])
  const serverOptions = {
    keepAliveTimeout: keepAlive,
    headersTimeout: headers,
    requestTimeout: all,
    connectionsCheckingInterval: Math.ceil(headers / 4),
    // We refuse that ourselves, in JSON.
    requireHostHeader: false,
  }
  const server: Server = tls ? createTlsServer({ ...serverOptions, ...tls }) : createServer(serverOptions)
  server.timeout = silence
  // Node drops headers over a count in silence, and one of them may be the Origin; their size is limited anyway.
  server.maxHeadersCount = 0
  answerMalformedCalls(server)
  const closeServer = createGracefulClose(server)
  await listen(server, host, port)
  const actual = (server.address() as AddressInfo).port
  const addresses = addressesOf({ host, port: actual, tls: tls !== null, publicUrl, names })
  const callers = createSignedInCallers(hub)
  const signInThrottle = createSignInThrottle()
  const feed = createFeed(hub)
  const streams = createStreams(hub, feed, options.heartbeat ?? 15_000)
  const longPolls = createLongPolls(hub, feed, { send, fail })
  const mcp = options.mcp ? createMcpCalls(options.mcp, error => log.error({ error }, 'an MCP call failed')) : null
  callers.onEnd(caller => {
    streams.end(caller)
    longPolls.end(caller)
    mcp?.end(caller)
  })
  const metrics = createMetrics({ hub, version })
  metrics.gauge('beckon_streams_open', 'Open streams of events.', streams.count)
  metrics.gauge('beckon_streams_buffered_bytes', 'Bytes that readers of streams have not read yet.', streams.buffered)
  metrics.gauge('beckon_waits_held', 'Calls that are held open until a request is settled.', longPolls.count)
  metrics.gauge('beckon_last_event', 'The number of the last event that was published.', feed.last)
  const authentication = createAuthentication(addresses, callers, signInThrottle, clientAddress)
  const context: RouteContext = {
    hub,
    operations: options.operations ?? allOperations,
    addresses,
    authentication,
    callers,
    signInThrottle,
    clientAddress,
    staticPage: createStaticPage(options.web ?? null, addresses.base),
    metrics,
    calls: createCallObserver({ metrics, tracer: options.tracer ?? null }),
    log,
    readiness: createReadiness(hub.probe, log),
    version,
    trackAsk: longPolls.trackAsk,
    wakeWaiters: longPolls.wake,
    limits,
    limitRate: createRateLimiter(options.rateLimit === undefined ? rateLimit : options.rateLimit),
    mcp,
    runLogs: options.runLogs ?? null,
    saveUpload: options.saveUpload ?? null,
    restorer: options.restorer ?? null,
    answerCallback: options.answerCallback ?? null,
  }
  try {
    server.on('request', createListener(context, { streams, longPolls }))
  } catch (error) {
    server.close()
    throw error
  }
  log.info({ host, port: actual, tls: tls !== null }, 'listening')

  return {
    url: addresses.url,
    port: actual,
    signInLink: async who => signInUrl(addresses.url, (await hub.access.sessions.makeLink(who)).secret),
    phoneLink: async name => (await makePhoneLink(hub, addresses, { name }))?.url ?? null,
    countNotification: metrics.countNotification,
    close,
  }

  async function close() {
    const closed = closeServer()
    longPolls.close()
    mcp?.close()
    streams.close()
    await closed
    feed.close()
    callers.close()
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
