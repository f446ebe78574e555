import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { openStream } from './event-stream.ts'
import { call, pageHeader, signIn, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

function start(options: Parameters<typeof startServer>[1] = {}): Promise<TestServer> {
  return startServer(join(temporaryFolder(), 'beckon.db'), options)
}

function originOf({ port }: TestServer): string {
  return `http://127.0.0.1:${port}`
}

describe.each(databases)('a sign-in link on $name', ({ fresh }) => {
  it('can be used by one of fifty concurrent sign-ins on two servers', async () => {
    const database = await fresh()
    const servers = [await startServer(database), await startServer(database)]
    const secret = (await (servers[0] as TestServer).signInLink({ name: 'person', scope: 'admin' })).split(
      '#signin=',
    )[1]
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        call(servers[i % 2] as TestServer, 'POST', '/api/session', { body: { secret } }),
      ),
    )
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(tries.filter(({ headers }) => headers['set-cookie'])).toHaveLength(1)
    for (const { status } of tries) expect([200, 401, 429]).toContain(status)
  })
})

describe('a session', () => {
  it('is never one that an attacker chose, and a new one ends the previous one', async () => {
    const server = await start()
    const name = `beckon_${server.port}`
    const chosen = `${name}=beckon_session_${'A'.repeat(43)}`
    const link = (await server.signInLink({ name: 'person', scope: 'admin' })).split('#signin=')[1]
    const first = await call(server, 'POST', '/api/session', { body: { secret: link }, headers: { cookie: chosen } })
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    expect(cookie).toMatch(new RegExp(`^${name}=beckon_session_`))
    expect(cookie).not.toBe(chosen)
    const status = async (cookie: string) => (await call(server, 'GET', '/api/session', { headers: { cookie } })).status
    expect([await status(chosen), await status(cookie)]).toEqual([401, 200])
    const again = (await server.signInLink({ name: 'person', scope: 'admin' })).split('#signin=')[1]
    const second = await call(server, 'POST', '/api/session', { body: { secret: again }, headers: { cookie } })
    expect(second.status).toBe(200)
    expect(await status(cookie)).toBe(401)
  })

  it('needs more than its cookie, which every server on this host gets', async () => {
    const server = await start()
    const cookie = await signIn(server)
    const { id } = await server.hub.raise(shipIt)
    const other = pageHeader(await signIn(server))
    const without = { cookie, origin: originOf(server), 'beckon-page': '' }
    for (const headers of [
      without,
      { ...without, ...other },
      { ...without, 'beckon-page': cookie.split('=')[1] ?? '' },
    ]) {
      const calls = [
        call(server, 'GET', '/api/requests', { headers }),
        call(server, 'GET', `/api/requests/${id}?wait=600`, { headers }),
        call(server, 'PUT', `/api/requests/${id}/answer`, { headers, body: { value: 'yes' } }),
        call(server, 'POST', '/api/tokens', { headers, body: { scope: 'admin' } }),
        call(server, 'GET', '/metrics', { headers }),
      ]
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    }
    const [, secret = ''] = cookie.split('=')
    expect((await call(server, 'GET', '/api/requests', { token: secret })).status).toBe(401)
    expect((await call(server, 'POST', '/api/session', { body: { secret } })).status).toBe(401)
    expect((await server.hub.get(id)).status).toBe('pending')
    // The API page is opened directly, so the cookie is enough.
    expect((await call(server, 'GET', '/api/docs', { headers: without })).status).toBe(200)
  })

  it('is found behind a cookie of the same name from another server on this host', async () => {
    const server = await start()
    const cookie = await signIn(server)
    const name = `beckon_${server.port}`
    const status = async (cookie: string) => (await call(server, 'GET', '/api/session', { headers: { cookie } })).status
    expect(await status(`${name}=tossed; other=1; ${cookie}`)).toBe(200)
    expect(await status(`${name}=; ${name}="x"; ${cookie}`)).toBe(200)
    expect(await status(`${Array(50).fill(`${name}=tossed`).join('; ')}; ${cookie}`)).toBe(401)
    expect(await status(`X${cookie}`)).toBe(401)
  })

  it('is ignored if the call has a token', async () => {
    const server = await start()
    const cookie = await signIn(server, 'admin')
    const agent = await server.token('ask')
    const { id } = await server.hub.raise(shipIt)
    const headers = { cookie, origin: originOf(server) }
    const answer = (token: string) =>
      call(server, 'PUT', `/api/requests/${id}/answer`, { token, headers, body: { value: 'yes' } })
    expect((await answer(agent)).status).toBe(403)
    expect((await answer('beckon_admin_wrong')).status).toBe(401)
    expect((await call(server, 'GET', '/api/session', { token: agent, headers })).json.scope).toBe('ask')
    expect((await server.hub.get(id)).status).toBe('pending')
  })

  it('ends its streams at sign-out, or when its token is revoked', async () => {
    const server = await start()
    const admin = await server.token('admin')
    const { token, secret } = await server.hub.tokens.create({ scope: 'answer', name: 'minji' })
    const opened = await call(server, 'POST', '/api/session', { body: { secret } })
    const byToken = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const byLink = await signIn(server)
    const ends: [string, () => Promise<{ status: number }>][] = [
      [byToken, () => call(server, 'DELETE', `/api/tokens/${token.id}`, { token: admin })],
      [
        byLink,
        () =>
          call(server, 'DELETE', '/api/session', { headers: { cookie: byLink, origin: originOf(server) }, body: {} }),
      ],
    ]
    for (const [cookie, end] of ends) {
      const stream = await openStream(server, null, { headers: { cookie } })
      expect((await end()).status).toBe(200)
      // At once, not a second later.
      expect((await call(server, 'GET', '/api/session', { headers: { cookie } })).status).toBe(401)
      await server.hub.raise({ ...shipIt, context: cookie })
      await stream.ended
      expect(stream.ids()).toEqual([])
    }
  })

  it('cannot be ended with only its id', async () => {
    const server = await start()
    const cookie = await signIn(server)
    const { id } = (await server.hub.access.identify(cookie.split('=')[1] ?? '')) ?? { id: '' }
    await expect(server.hub.tokens.revoke(id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await call(server, 'GET', '/api/session', { headers: { cookie } })).status).toBe(200)
  })
})

describe('a proxy header', () => {
  it('is ignored', async () => {
    const server = await start()
    const proxyHeaders = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': '/api/tokens',
      'x-rewrite-url': '/api/tokens',
      'x-http-method-override': 'DELETE',
    }
    const token = await server.token('admin')
    const link = await call(server, 'POST', '/api/session/links', { token, headers: proxyHeaders, body: {} })
    expect(link.json.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/#signin=`))
    const secret = link.json.url.split('#signin=')[1]
    const { headers } = await call(server, 'POST', '/api/session', { body: { secret }, headers: proxyHeaders })
    expect(headers['set-cookie']?.[0]).not.toContain('Secure')
    const statuses: number[] = []
    for (let i = 0; i < 3; i += 1) {
      await Promise.all(
        Array.from({ length: 5 }, async (_, j) => {
          const headers = { 'x-forwarded-for': `203.0.113.${i * 10 + j}`, 'x-real-ip': `203.0.113.${i * 10 + j}` }
          statuses.push((await call(server, 'GET', '/api/requests', { token: 'guess', headers })).status)
        }),
      )
    }
    expect(statuses.filter(status => status === 429)).toHaveLength(5)
  })
})
