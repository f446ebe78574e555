import { describe, expect, it } from 'vitest'
import { deviceOf } from '../../src/server/access/device.ts'
import { databases } from '../setup/databases.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const phone =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const laptop = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

describe.each(databases)('signed-in browsers on $name', ({ fresh }) => {
  it('are listed with their device: a person sees their own, an admin sees all', async () => {
    const server = await startServer(await fresh())
    const mine = await signInWith(server, laptop, { name: 'mina', scope: 'answer' })
    await signInWith(server, phone, { name: 'mina', scope: 'answer' })
    const admin = await signInWith(server, laptop, { name: 'owner', scope: 'admin' })
    expect(await sessionsOf(server, mine)).toMatchObject([
      { user: 'mina', device: 'Chrome on Android', current: false },
      { user: 'mina', device: 'Firefox on Linux', current: true, scope: 'answer' },
    ])
    expect(await sessionsOf(server, admin)).toHaveLength(3)
    expect(JSON.stringify(await sessionsOf(server, admin))).not.toMatch(/hash|secret/)
  })

  it('can be signed out from another browser, which ends their open calls', async () => {
    const server = await startServer(await fresh())
    const here = await signInWith(server, laptop, { name: 'mina', scope: 'answer' })
    const lost = await signInWith(server, phone, { name: 'mina', scope: 'answer' })
    const { id } = await server.hub.raise({ questions: [{ question: 'Ship it?' }] })
    const waiting = call(server, 'GET', `/api/requests/${id}?wait=600`, { headers: { cookie: lost } })
    const [phoneSession] = await sessionsOf(server, here)
    const ended = await change(server, here, `/api/sessions/${phoneSession?.id}`)
    expect(ended.json).toEqual({ ended: [phoneSession?.id] })
    expect((await waiting).status).toBe(401)
    expect((await call(server, 'GET', '/api/session', { headers: { cookie: lost } })).status).toBe(401)
    expect(await sessionsOf(server, here)).toHaveLength(1)
  })

  it('can all be signed out except this one, without those of other people', async () => {
    const server = await startServer(await fresh())
    const here = await signInWith(server, laptop, { name: 'owner', scope: 'admin' })
    for (let i = 0; i < 3; i += 1) await signInWith(server, phone, { name: 'owner', scope: 'admin' })
    const other = await signInWith(server, phone, { name: 'mina', scope: 'answer' })
    expect((await change(server, here, '/api/sessions')).json.ended).toHaveLength(3)
    expect((await sessionsOf(server, here)).map(({ user }) => user)).toEqual(['mina', 'owner'])
    expect((await call(server, 'GET', '/api/session', { headers: { cookie: other } })).status).toBe(200)
  })

  it('are not those of a token that only has the same name', async () => {
    const server = await startServer(await fresh())
    const admin = await signInWith(server, laptop, { name: 'mina', scope: 'admin' })
    const token = await server.token('answer', { name: 'mina' })
    expect((await call(server, 'GET', '/api/sessions', { token })).json.sessions).toEqual([])
    const [session] = await sessionsOf(server, admin)
    const ending = await call(server, 'DELETE', `/api/sessions/${session?.id}`, { token, body: {} })
    expect(ending.status).not.toBe(200)
    expect((await call(server, 'GET', '/api/session', { headers: { cookie: admin } })).status).toBe(200)
  })

  it('cannot be signed out by another person', async () => {
    const server = await startServer(await fresh())
    const mina = await signInWith(server, laptop, { name: 'mina', scope: 'answer' })
    const owner = await signInWith(server, laptop, { name: 'owner', scope: 'admin' })
    const theirs = (await sessionsOf(server, owner)).find(({ user }) => user === 'owner')
    expect((await change(server, mina, `/api/sessions/${theirs?.id}`)).status).toBe(404)
    expect((await call(server, 'GET', '/api/session', { headers: { cookie: owner } })).status).toBe(200)
  })
})

describe('the name of a device', () => {
  it.each([
    [phone, 'Chrome on Android'],
    [laptop, 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge on macOS'],
    ['curl/8.14.1', null],
    [undefined, null],
  ])('%s', (userAgent, name) => {
    expect(deviceOf(userAgent)).toBe(name)
  })
})

interface Listed {
  id: string
  user: string
}

async function sessionsOf(server: TestServer, cookie: string): Promise<Listed[]> {
  return (await call(server, 'GET', '/api/sessions', { headers: { cookie } })).json.sessions
}

function change(server: TestServer, cookie: string, path: string) {
  return call(server, 'DELETE', path, { headers: { cookie, origin: server.url }, body: {} })
}

async function signInWith(server: TestServer, userAgent: string, who: { name: string; scope: 'answer' | 'admin' }) {
  const link = await server.signInLink(who)
  const { headers } = await call(server, 'POST', '/api/session', {
    headers: { 'user-agent': userAgent },
    body: { secret: link.split('#signin=')[1] },
  })
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}
