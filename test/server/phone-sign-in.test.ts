import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { call, signIn, startServer, type TestServer } from './test-server.ts'

const publicUrl = 'https://beckon.example'

function start(options: Parameters<typeof startServer>[1] = {}): Promise<TestServer> {
  return startServer(join(temporaryFolder(), 'beckon.db'), options)
}

async function phoneLink(server: TestServer, token: string) {
  return call(server, 'POST', '/api/session/phone-links', { token, body: {} })
}

function spend(server: TestServer, url: string) {
  return call(server, 'POST', '/api/session', { body: { secret: url.split('#signin=')[1] } })
}

describe('a link that signs in a phone', () => {
  it('works once, and lets the phone answer and not manage', async () => {
    const server = await start({ publicUrl })
    const admin = await server.token('admin', { name: 'mina' })
    const { status, json } = await phoneLink(server, admin)
    expect([status, json.url]).toEqual([201, expect.stringMatching(/^https:\/\/beckon\.example\/#signin=beckon_link_/)])
    const first = await spend(server, json.url)
    expect([first.status, first.json.user, first.json.scope]).toEqual([200, 'mina', 'answer'])
    expect((await spend(server, json.url)).status).toBe(401)
    const headers = { cookie: first.headers['set-cookie']?.[0]?.split(';')[0], 'beckon-page': first.json.page }
    expect((await call(server, 'GET', '/api/requests', { headers })).status).toBe(200)
    expect((await call(server, 'GET', '/api/tokens', { headers })).status).toBe(403)
  })

  it('expires after five minutes, and the one of the terminal too', async () => {
    let moved = 0
    const server = await start({ publicUrl, hub: { shift: () => moved } })
    const admin = await server.token('admin')
    const { json } = await phoneLink(server, admin)
    const printed = (await server.phoneLink('mina')) ?? ''
    const inTime = (await server.phoneLink('mina')) ?? ''
    moved += 4 * 60_000
    expect((await spend(server, inTime)).json).toMatchObject({ user: 'mina', scope: 'answer' })
    moved += 60_000
    expect((await spend(server, json.url)).status).toBe(401)
    expect((await spend(server, printed)).status).toBe(401)
  })

  it('is not made where no phone can reach the server, nor for an agent', async () => {
    const server = await start()
    const { status, json } = await phoneLink(server, await server.token('answer'))
    expect([status, json]).toEqual([201, { url: null, expiresAt: null }])
    expect(await server.phoneLink('mina')).toBeNull()
    for (const url of ['http://localhost:4141', 'http://[::1]:4141']) {
      expect(await (await start({ publicUrl: url })).phoneLink('mina')).toBeNull()
    }
    expect((await phoneLink(server, await server.token('ask'))).status).toBe(403)
    expect(await (await start({ publicUrl: 'http://192.168.1.20:4141' })).phoneLink('mina')).toContain('192.168.1.20')
  })

  it('ends with the session that made it', async () => {
    const server = await start({ publicUrl })
    const cookie = await signIn(server)
    const origin = publicUrl
    const headers = { cookie, origin, host: 'beckon.example' }
    const { json } = await call(server, 'POST', '/api/session/phone-links', { headers, body: {} })
    expect(json.url).toContain('#signin=')
    await call(server, 'DELETE', '/api/session', { headers, body: {} })
    expect((await spend(server, json.url)).status).toBe(401)
  })
})
