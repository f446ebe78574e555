import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpHub } from '../../src/client/http-hub.ts'
import { connectHttp } from '../mcp/mcp-client.ts'
import { type Behind, examples, startBehind } from './behind-proxy.ts'
import { findPrograms } from './proxies.ts'

findPrograms('caddy', 'nginx', 'openssl')

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

describe.each(examples)('behind $name', example => {
  let site: Behind
  beforeAll(async () => {
    site = await startBehind(example)
  })
  afterAll(() => site?.close())

  it('signs a browser in once, with a cookie for HTTPS and for its own path', async () => {
    const { url, base, link } = site
    expect(link).toMatch(`${url}/#signin=`)
    const body = JSON.stringify({ secret: link.split('#signin=')[1] })
    const headers = { 'content-type': 'application/json', origin: new URL(url).origin }
    const reply = await fetch(`${url}/api/session`, { method: 'POST', headers, body })
    expect(reply.status).toBe(200)
    const [cookie = ''] = reply.headers.getSetCookie()
    const start = base === '' ? '__Host-beckon=' : '__Secure-beckon='
    expect(cookie.startsWith(start)).toBe(true)
    expect(cookie).toContain(`; Path=${base}/; HttpOnly; SameSite=Strict; Secure; Expires=`)
    const { page } = (await reply.json()) as { page: string }
    const signedIn = { cookie: cookie.split(';')[0] ?? '', 'beckon-page': page }
    expect(await (await fetch(`${url}/api/session`, { headers: signedIn })).json()).toMatchObject({ user: 'mina' })
    expect((await fetch(`${url}/api/session`, { method: 'POST', headers, body })).status).toBe(401)
  })

  it('holds waits and passes events on as they happen', async () => {
    const agent = createHttpHub({ url: site.url, token: await site.token('ask'), agent: 'script', directory: '/work' })
    const person = createHttpHub({ url: site.url, token: await site.token('answer', 'mina') })
    const stopped = new AbortController()
    const earlier = await agent.raise({ ...shipIt, key: 'earlier' })
    const events = person.follow({ since: 0, signal: stopped.signal })[Symbol.asyncIterator]()
    const next = async () => (await events.next()).value
    expect(await next()).toMatchObject({ type: 'request.created', request: earlier.id })
    // The stream is open now, and stays so: what a proxy buffers would never come.
    const asked = agent.ask({ ...shipIt, key: 'later' })
    const created = await next()
    expect(created).toMatchObject({ type: 'request.created' })
    await person.answer(created?.request ?? '', { value: 'yes' })
    expect(await asked).toMatchObject({ status: 'answered', by: 'mina' })
    expect(await next()).toMatchObject({ type: 'request.answered', request: created?.request })
    stopped.abort()
    await Promise.all([agent.close(), person.close()])
  })

  it('takes a file of 3 MiB', async () => {
    const { id } = await site.hub.raise({ kind: 'dependency', type: 'file', name: 'DUMP', description: 'the dump' })
    const body = Buffer.alloc(3 * 1024 * 1024, 'beckon')
    const headers = {
      authorization: `Bearer ${await site.token('answer')}`,
      'content-type': 'application/octet-stream',
    }
    const reply = await fetch(`${site.url}/api/requests/${id}/file?name=dump`, { method: 'PUT', headers, body })
    expect(await reply.json()).toMatchObject({ status: 'answered' })
    expect(readFileSync(join(site.home, 'files', id, 'dump')).equals(body)).toBe(true)
  })

  it('speaks MCP, and sends everything else to where it belongs', async () => {
    const token = await site.token('ask', 'builder')
    const { call } = await connectHttp(site.url, token)
    expect(await call('ask', { ...shipIt, async: true })).toMatchObject({ status: 'pending' })
    const openApi = await (
      await fetch(`${site.url}/api/openapi.json`, { headers: { authorization: `Bearer ${token}` } })
    ).json()
    expect(openApi).toMatchObject({ servers: [{ url: site.url }] })
    const page = await fetch(`${site.url}/requests/req_1`)
    expect(await page.text()).toContain(`src="${site.base}/assets/page-`)
    expect(page.headers.get('strict-transport-security')).toBeTruthy()
    if (site.base === '') return
    const bare = await fetch(site.url, { redirect: 'manual' })
    expect([301, 308]).toContain(bare.status)
    expect(new URL(bare.headers.get('location') ?? '', site.url).href).toBe(`${site.url}/`)
    expect((await fetch(new URL('/api/openapi.json', site.url))).status).toBe(404)
  })

  if (example.base !== '') return

  it('counts failures by the address that the proxy reports, and not by one that a caller makes up', async () => {
    // Every address that begins with 127 is this machine.
    const guess = (localAddress: string, headers: Record<string, string> = {}) =>
      tryToken(request, { host: '127.0.0.1', servername: 'localhost', port: site.port, localAddress }, site, headers)
    const guesses = await Promise.all(Array.from({ length: 11 }, () => guess('127.0.0.2')))
    expect(guesses.filter(status => status === 429)).toHaveLength(1)
    // Past the proxy, the header counts for nothing.
    const direct = { host: '127.0.0.1', port: site.nodePort, localAddress: '127.0.0.2' }
    const madeUp = { 'x-forwarded-for': '203.0.113.9' }
    const others = [guess('127.0.0.2', madeUp), tryToken(httpRequest, direct, site, madeUp), guess('127.0.0.3')]
    expect(await Promise.all(others)).toEqual([429, 429, 401])
  })
})

/** The status of a call with a token that does not exist. */
function tryToken(
  send: typeof request,
  to: RequestOptions,
  { url }: Behind,
  headers: Record<string, string>,
): Promise<number> {
  const { host } = new URL(url)
  return new Promise((resolve, reject) => {
    const all = { host, authorization: 'Bearer beckon_ask_guess', ...headers }
    const call = send({ ...to, path: '/api/requests', agent: false, headers: all }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    call.on('error', reject)
    call.end()
  })
}
