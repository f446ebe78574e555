import { describe, expect, it } from 'vitest'
import { databases } from '../setup/databases.ts'
import { openStream } from './event-stream.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const month = 30 * 86_400_000

describe.each(databases)('a token on $name', ({ fresh }) => {
  it('ends the links and sessions made through it when it is revoked, however many they are', async () => {
    const server = await startServer(await fresh())
    const { token, secret } = await server.hub.tokens.create({ scope: 'answer', name: 'mina' })
    const first = await signInBy(server, await linkBy(server, { token: secret }))
    // Each browser signs the next one in.
    const browsers = [first, await signInBy(server, secret)]
    for (let i = 0; i < 12; i += 1) {
      browsers.push(await signInBy(server, await linkBy(server, { cookie: browsers.at(-1) as string })))
    }
    const unspent = [await linkBy(server, { token: secret }), await linkBy(server, { cookie: first })]
    const { id } = await server.hub.raise(shipIt)
    const last = { cookie: browsers.at(-1) as string }
    const stream = await openStream(server, null, { headers: last })
    const waiting = call(server, 'GET', `/api/requests/${id}?wait=600`, { headers: last })
    await subscribe(server, last.cookie)
    expect(await statuses(server, browsers)).toEqual(browsers.map(() => 200))

    await call(server, 'DELETE', `/api/tokens/${token.id}`, { token: await server.token('admin') })
    // At once, not a second later.
    expect(await statuses(server, browsers.slice(-3))).toEqual([401, 401, 401])
    const { identify, sessions } = server.hub.access
    for (const cookie of browsers) expect(await identify(cookie.split('=')[1] ?? '')).toBeNull()
    for (const link of unspent) expect(await sessions.signIn(link)).toBeNull()
    expect((await waiting).status).toBe(401)
    await stream.ended
    expect(await server.hub.targets.list()).toEqual([])
  })

  it('ends them on every other server too', async () => {
    const database = await fresh()
    const [here, there] = [await startServer(database), await startServer(database)]
    const { token, secret } = await here.hub.tokens.create({ scope: 'answer', name: 'mina' })
    const cookie = renamed(await signInBy(here, await linkBy(here, { token: secret })), there)
    const stream = await openStream(there, null, { headers: { cookie, ...pageOf(cookie) } })
    await here.hub.tokens.revoke(token.id)
    await stream.ended
    const after = await call(there, 'GET', '/api/session', { headers: { cookie, ...pageOf(cookie) } })
    expect(after.status).toBe(401)
  })

  it('ends them when it expires: no link and no session outlives its token', async () => {
    let moved = 0
    const server = await startServer(await fresh(), { hub: { shift: () => moved } })
    const made = await server.hub.tokens.create({ scope: 'answer', name: 'mina', expires: 300_000 })
    const end = made.token.expiresAt as string
    const link = await call(server, 'POST', '/api/session/links', { token: made.secret, body: {} })
    expect(link.json.expiresAt).toBe(end)
    const first = await signInBy(server, secretOf(link.json.url))
    const browsers = [first, await signInBy(server, await linkBy(server, { cookie: first }))]
    browsers.push(await signInBy(server, await linkBy(server, { cookie: browsers[1] as string })))
    for (const cookie of browsers) {
      expect((await call(server, 'GET', '/api/session', { headers: { cookie } })).json.expiresAt).toBe(end)
    }
    const unspent = await linkBy(server, { cookie: first })
    const streams = await Promise.all(browsers.map(cookie => openStream(server, null, { headers: { cookie } })))
    moved = 300_001
    await Promise.all(streams.map(stream => stream.ended))
    expect(await statuses(server, browsers)).toEqual([401, 401, 401])
    expect((await call(server, 'POST', '/api/session', { body: { secret: unspent } })).status).toBe(401)
  })

  it('is refused from the moment in which it expires, though the server knows it', async () => {
    const server = await startServer(await fresh())
    const { token, secret } = await server.hub.tokens.create({ scope: 'answer', expires: 3_000 })
    const cookie = await signInBy(server, secret)
    expect(await statuses(server, [cookie])).toEqual([200])
    const end = Date.parse(token.expiresAt as string)
    while ((await server.hub.access.now()) < end + 20) await new Promise(setImmediate)
    expect((await call(server, 'GET', '/api/session', { token: secret })).status).toBe(401)
    expect(await statuses(server, [cookie])).toEqual([401])
  })

  it('does not end sessions whose link was made on the machine of the hub, or by another token of that name', async () => {
    const server = await startServer(await fresh())
    const { token } = await server.hub.tokens.create({ scope: 'admin', name: 'owner' })
    const other = await server.token('admin', { name: 'owner' })
    const local = await signInBy(server, secretOf(await server.signInLink({ name: 'owner', scope: 'admin' })))
    const fromLocal = await signInBy(server, await linkBy(server, { cookie: local }))
    const fromOther = await signInBy(server, await linkBy(server, { token: other }))
    await server.hub.tokens.revoke(token.id)
    expect(await statuses(server, [local, fromLocal, fromOther])).toEqual([200, 200, 200])
    const { json } = await call(server, 'GET', '/api/session', { headers: { cookie: fromLocal } })
    expect(Date.parse(json.expiresAt) - Date.now()).toBeGreaterThan(month - 60_000)
  })

  it('cannot open a session in the moment in which it is revoked', async () => {
    const database = await fresh()
    const [here, there] = [await startServer(database), await startServer(database)]
    for (let i = 0; i < 8; i += 1) {
      const { token, secret } = await here.hub.tokens.create({ scope: 'answer', name: 'mina' })
      const links = await Promise.all([0, 1, 2].map(() => linkBy(here, { token: secret })))
      const signingIn = [secret, ...links].map(one => there.hub.access.sessions.signIn(one))
      const [, ...opened] = await Promise.all([here.hub.tokens.revoke(token.id), ...signingIn])
      for (const session of opened) {
        expect(session && (await there.hub.access.identify(session.secret))).toBeNull()
      }
    }
    const admin = await here.hub.access.identify(await here.token('admin'))
    expect(admin && (await here.hub.access.sessions.list(admin))).toEqual([])
  })

  it('ends the ask tokens of the agents of its runs', async () => {
    const server = await startServer(await fresh())
    const { token, secret } = await server.hub.tokens.create({ scope: 'run', expires: 600_000 })
    const run = (await call(server, 'POST', '/api/runs', { token: secret, body: { command: ['agent'], cwd: '/' } }))
      .json
    const body = { scope: 'ask', run: run.id }
    const agent = (await call(server, 'POST', '/api/tokens', { token: secret, body })).json
    expect(agent.token.expiresAt).toBe(token.expiresAt)
    const asking = { token: agent.secret, body: shipIt }
    expect((await call(server, 'POST', '/api/requests', asking)).status).toBe(201)
    await call(server, 'DELETE', `/api/tokens/${token.id}`, { token: await server.token('admin') })
    expect((await call(server, 'POST', '/api/requests', asking)).status).toBe(401)
  })
})

describe.each(databases)('signing out all other browsers on $name', ({ fresh }) => {
  it('ends the links that they made and nobody has used yet', async () => {
    const server = await startServer(await fresh())
    const local = () => server.signInLink({ name: 'owner', scope: 'admin' })
    const [here, lost] = [
      await signInBy(server, secretOf(await local())),
      await signInBy(server, secretOf(await local())),
    ]
    const [mine, theirs] = [await linkBy(server, { cookie: here }), await linkBy(server, { cookie: lost })]
    const headers = { cookie: here, origin: server.url }
    expect((await call(server, 'DELETE', '/api/sessions', { headers, body: {} })).json.ended).toHaveLength(1)
    expect((await call(server, 'POST', '/api/session', { body: { secret: theirs } })).status).toBe(401)
    expect((await call(server, 'POST', '/api/session', { body: { secret: mine } })).status).toBe(200)
  })

  it('reaches every one of them, however many there are and whoever else is signed in', async () => {
    const server = await startServer(await fresh())
    const { sessions } = server.hub.access
    const openOne = async (name: string) => sessions.signIn((await sessions.makeLink({ name, scope: 'admin' })).secret)
    const lost = await openOne('owner')
    await Promise.all(Array.from({ length: 1_010 }, () => openOne('mina')))
    await Promise.all(Array.from({ length: 1_010 }, () => openOne('owner')))
    const here = await signInBy(server, secretOf(await server.signInLink({ name: 'owner', scope: 'admin' })))
    const headers = { cookie: here, origin: server.url }
    expect((await call(server, 'DELETE', '/api/sessions', { headers, body: {} })).json.ended).toHaveLength(1_011)
    expect(await server.hub.access.identify(lost?.secret ?? '')).toBeNull()
    expect(await statuses(server, [here])).toEqual([200])
  })
})

const pages = new Map<string, string>()

/** Signs a browser in and returns its cookie. */
async function signInBy(server: TestServer, secret: string): Promise<string> {
  const { status, headers, json } = await call(server, 'POST', '/api/session', { body: { secret } })
  expect(status).toBe(200)
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  pages.set(cookie.split('=')[1] ?? '', json.page)
  return cookie
}

/** The secret of a link that a token or a signed-in browser makes. */
async function linkBy(server: TestServer, { token, cookie }: { token?: string; cookie?: string }): Promise<string> {
  const headers = cookie === undefined ? {} : { cookie, origin: server.url }
  const made = await call(server, 'POST', '/api/session/links', { ...(token ? { token } : {}), headers, body: {} })
  expect(made.status).toBe(201)
  return secretOf(made.json.url)
}

function secretOf(url: string): string {
  return url.split('#signin=')[1] ?? ''
}

function statuses(server: TestServer, cookies: readonly string[]): Promise<number[]> {
  return Promise.all(
    cookies.map(async cookie => (await call(server, 'GET', '/api/session', { headers: { cookie } })).status),
  )
}

/** The cookie as the other server names it: the name contains the port. */
function renamed(cookie: string, { port }: TestServer): string {
  return `beckon_${port}=${cookie.split('=')[1]}`
}

function pageOf(cookie: string) {
  return { 'beckon-page': pages.get(cookie.split('=')[1] ?? '') ?? '' }
}

async function subscribe(server: TestServer, cookie: string): Promise<void> {
  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') }
  const body = { endpoint: 'https://push.example/one', keys }
  const headers = { cookie, origin: server.url }
  expect((await call(server, 'POST', '/api/push/subscriptions', { headers, body })).status).toBe(201)
}
