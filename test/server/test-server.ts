import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach } from 'vitest'
import { createRestorer } from '../../src/cli/restore/restorer.ts'
import { createHttpHub, type HttpHubOptions } from '../../src/client/http-hub.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { type OpenHubOptions, openLocalHub } from '../../src/open-hub.ts'
import type { HubApi, Scope } from '../../src/protocol/index.ts'
import { createLog } from '../../src/server/log.ts'
import { type Served, type ServeOptions, serve } from '../../src/server/serve.ts'
import { createLocalRunLogs } from '../../src/supervisor/log/local-run-logs.ts'
import { storeUpload } from '../../src/supervisor/upload.ts'
import { testKey } from '../setup/databases.ts'

export interface TestServer extends Served {
  hub: Hub
  /** The secret of a new token. */
  token(scope: Scope, more?: { name?: string; run?: string; expires?: number }): Promise<string>
  /** A client with a new token. */
  client(scope: Scope, more?: Partial<HttpHubOptions> & { name?: string; run?: string }): Promise<HubApi>
  stop(): Promise<void>
}

const running: TestServer[] = []
const clients: HubApi[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()))
  await Promise.all(running.splice(0).map(server => server.stop()))
})

/** Starts a real server on a free port of this machine; it is stopped after the test. */
export async function startServer(
  database: string,
  { hub: hubOptions = {}, home, ...options }: StartOptions = {},
): Promise<TestServer> {
  const hub = await openLocalHub({
    database,
    env: { BECKON_KEY: testKey },
    caller: { user: 'owner', directory: '/work' },
    ...hubOptions,
  })
  const served = await serve({
    hub,
    log: createLog('silent'),
    version: '0.0.0',
    port: 0,
    ...filesIn(hub, home),
    ...options,
  })
  let stopped = false
  const server: TestServer = {
    ...served,
    hub,
    token: async (scope, more = {}) => (await hub.tokens.create({ scope, ...more })).secret,
    async client(scope, { name = scope, run, ...more } = {}) {
      const token = await server.token(scope, { name, ...(run ? { run } : {}) })
      const client = createHttpHub({ url: served.url, token, agent: 'script', directory: '/work', ...more })
      clients.push(client)
      return client
    },
    async stop() {
      if (stopped) return
      stopped = true
      await served.close()
      await hub.close()
    },
  }
  running.push(server)
  return server
}

interface StartOptions extends Partial<Omit<ServeOptions, 'hub'>> {
  hub?: OpenHubOptions
  /** The folder for run logs and uploads. */
  home?: string
}

function filesIn(hub: Hub, home: string | undefined): Pick<ServeOptions, 'runLogs' | 'saveUpload' | 'restorer'> {
  if (home === undefined) return {}
  return {
    runLogs: createLocalRunLogs(home),
    saveUpload: (request, file) => storeUpload(home, hub, request, file),
    restorer: createRestorer(hub),
  }
}

export interface Called {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: any response, for the tests to check
  json: any
}

export interface CallOptions {
  token?: string
  /** An undefined header is not sent. */
  headers?: Record<string, string | undefined>
  body?: unknown
}

/** Makes one plain HTTP call, with any headers. */
export async function call(
  { port }: Pick<TestServer, 'port'>,
  method: string,
  path: string,
  { token, headers = {}, body }: CallOptions = {},
): Promise<Called> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    method,
    path,
    agent: false,
    headers: withoutUndefined({
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...pageHeader(headers.cookie),
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    }),
  })
  // A client that is refused early cannot send the rest.
  request.on('error', () => {})
  request.end(text)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const answer = await readText(response)
  const json = answer && /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(answer) : null
  if (json?.page) pages.set(response.headers['set-cookie']?.[0]?.split(';')[0] ?? '', json.page)
  return { status: response.statusCode ?? 0, headers: response.headers, text: answer, json }
}

function withoutUndefined(headers: Record<string, string | number | undefined>) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}

// The page secret of each session, which a browser keeps beside its cookie.
const pages = new Map<string, string>()

/** The header that our own page sends with this cookie. */
export function pageHeader(cookies = ''): Record<string, string> {
  const page = [...pages].find(([cookie]) => cookies.split('; ').includes(cookie))?.[1]
  return page === undefined ? {} : { 'beckon-page': page }
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** Signs a browser in with a link and returns its cookie. */
export async function signIn(server: TestServer, scope: Scope = 'admin', name = 'person'): Promise<string> {
  const link = await server.signInLink({ name, scope })
  const { headers } = await call(server, 'POST', '/api/session', { body: { secret: link.split('#signin=')[1] } })
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

/** Sends bytes on a new connection and returns everything received until the server closes it. */
export async function sendBytes({ port }: Pick<TestServer, 'port'>, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part))
  // A client that is refused early cannot send the rest.
  socket.on('error', () => {})
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return Buffer.concat(parts).toString()
}
