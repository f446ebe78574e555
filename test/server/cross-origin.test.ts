import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { bareChrome, requireChrome } from '../web/fixture.ts'
import { call, signIn, startServer, type TestServer } from './test-server.ts'

// A page on another port of the same machine has another origin but the same site, so the browser sends our cookie
// with its requests. A page on another host name does not even get the cookie.
const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const attacks: Record<string, (target: string, id: string, run: string) => string> = {
  'a form that imitates JSON': target => `
    document.body.innerHTML = '<iframe name=f></iframe><form method=post target=f enctype=text/plain action="${target}/api/tokens"><input name=\\'{"scope":"admin","name":"\\' value=\\'evil"}\\'></form>'
    document.forms[0].submit()`,
  'an ordinary form': (target, _, run) => `
    document.body.innerHTML = '<iframe name=f></iframe><form method=post target=f action="${target}/api/runs/${run}/stop"></form>'
    document.forms[0].submit()`,
  'a fetch without preflight': target => `
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) for (const path of ['/api/requests', '/api/tokens', '/api/session/links'])
      fetch('${target}' + path, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: type ? { 'content-type': type } : {}, body: '{"scope":"admin","questions":[{"question":"x"}]}' }).catch(() => {})`,
  'a fetch with preflight': (target, id) => `
    for (const method of ['PUT', 'POST', 'DELETE']) fetch('${target}/api/requests/${id}/answer', { method, credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{"value":"yes"}' }).then(() => { window.got = 'an answer' }, () => {})`,
  'a beacon': (target, id) => `
    navigator.sendBeacon('${target}/api/requests/${id}/cancel', new Blob(['{}'], { type: 'text/plain' }))`,
  'reading requests and events': target => `
    fetch('${target}/api/requests', { credentials: 'include' }).then(r => r.text()).then(text => { window.got = text }, () => {})
    const events = new EventSource('${target}/api/events?since=0', { withCredentials: true })
    events.onmessage = event => { window.got = event.data }
    const script = document.createElement('script'); script.src = '${target}/api/requests'; document.body.append(script)
    window.onerror = message => { window.got = message }`,
  'a socket': target => `
    const socket = new WebSocket('${target}/api/events'.replace('http', 'ws')); socket.onopen = socket.onmessage = () => { window.got = 'a socket' }`,
  'a frame': target => `
    const frame = document.createElement('iframe'); frame.src = '${target}/'; document.body.append(frame)
    frame.onload = () => { try { window.got = frame.contentDocument.title } catch {} }`,
}

interface Visit {
  page: Page
  /** The calls of the browser to our server. */
  calls: string[]
  secret: string
}

describe('a page of another origin', () => {
  let browser: Browser
  let server: TestServer
  const cleanups: (() => unknown)[] = []

  beforeAll(async () => {
    if (bareChrome)
      browser = await chromium.launch({ executablePath: bareChrome, args: ['--no-sandbox', '--disable-gpu'] })
  })
  afterAll(() => browser?.close())
  beforeEach(requireChrome)
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })

  async function openSignedInPage(options: Parameters<typeof startServer>[1] = {}): Promise<Visit> {
    server = await startServer(join(temporaryFolder(), 'beckon.db'), options)
    const [name = '', value = ''] = (await signIn(server)).split('=')
    const context = await browser.newContext()
    cleanups.push(() => context.close())
    await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Strict' }])
    const calls: string[] = []
    context.on('request', request => {
      if (request.url().startsWith(server.url)) calls.push(request.url())
    })
    const page = await context.newPage()
    page.on('websocket', () => calls.push('a socket'))
    return { page, calls, secret: value }
  }

  async function serveOtherPage(name: string, cookies: (string | undefined)[] = []): Promise<string> {
    const evil = createServer((request, response) => {
      cookies.push(request.headers.cookie)
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><body>a page of somebody else')
    })
    evil.listen(0, '127.0.0.1')
    await once(evil, 'listening')
    cleanups.push(() => {
      evil.closeAllConnections()
      evil.close()
    })
    return `http://${name}:${(evil.address() as AddressInfo).port}/`
  }

  it.each(Object.keys(attacks))('changes and reads nothing with %s', async attack => {
    const { page, calls } = await openSignedInPage()
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const { id } = await server.hub.raise({ ...shipIt, run: run.id })
    const tokens = (await server.hub.tokens.list()).length
    const last = (await server.hub.events()).at(-1)?.id
    for (const name of ['127.0.0.1', 'localhost']) {
      await page.goto(await serveOtherPage(name))
      await page.evaluate((attacks[attack] as (typeof attacks)[string])(server.url, id, run.id))
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate('window.got ?? null')).toBeNull()
    }
    // The browser did call the server.
    expect(calls.length).toBeGreaterThan(0)
    expect((await server.hub.get(id)).status).toBe('pending')
    expect((await server.hub.events()).at(-1)?.id).toBe(last)
    expect(await server.hub.tokens.list()).toHaveLength(tokens)
  })

  it('gets our cookie on the same host, which is useless alone, and not if the server has its own name', async () => {
    const cookies: (string | undefined)[] = []
    const shared = await openSignedInPage()
    await shared.page.goto(await serveOtherPage('127.0.0.1', cookies))
    expect(cookies[0]).toContain(shared.secret)
    const stolen = { cookie: cookies[0] ?? '', 'beckon-page': '' }
    expect((await call(server, 'GET', '/api/requests', { headers: stolen })).status).toBe(401)
    const port = await freePort()
    const own = await openSignedInPage({ port, publicUrl: `http://beckon.localhost:${port}` })
    for (const name of ['127.0.0.1', 'localhost', 'evil.localhost']) {
      cookies.length = 0
      await own.page.goto(await serveOtherPage(name, cookies))
      expect([name, new Set(cookies)]).toEqual([name, new Set([undefined])])
    }
    await own.page.goto(`${server.url}/api/docs`)
    expect(await own.page.textContent('body')).toContain('over HTTP')
  })

  it('cannot make the browser run a script that an agent wrote', async () => {
    const { page } = await openSignedInPage()
    const { id } = await server.hub.raise({ questions: [{ question: '<script>document.title = "run"</script>' }] })
    for (const path of [`/api/requests/${id}`, '/api/events', '/api/docs', '/metrics', '/healthz']) {
      const response = await page.goto(`${server.url}${path}`)
      const headers = await (response as NonNullable<typeof response>).allHeaders()
      expect([path, headers['x-content-type-options'], headers['cache-control']]).toEqual([path, 'nosniff', 'no-store'])
      expect(await page.title()).not.toBe('run')
    }
    const cookieless = await call(server, 'GET', '/')
    expect(cookieless.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(cookieless.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
