import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/server/log.ts'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { call, signIn, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const apiKey = { kind: 'dependency', type: 'api_key', name: 'API_KEY', description: 'To call the API' } as const

async function start(options: Parameters<typeof startServer>[1] = {}): Promise<TestServer> {
  return startServer(join(temporaryFolder(), 'beckon.db'), options)
}

/** Every call of the API, on existing objects. */
function everyCall(request: string, run: string): [string, string, object?][] {
  return [
    ['POST', '/api/requests', shipIt],
    ['GET', '/api/requests'],
    ['GET', `/api/requests/${request}`],
    ['GET', `/api/requests/${request}?wait=0`],
    ['PUT', `/api/requests/${request}/answer`, { value: 'yes' }],
    ['PUT', `/api/requests/${request}/skip`, {}],
    ['PUT', `/api/requests/${request}/decline`, {}],
    ['PUT', `/api/requests/${request}/cancel`, {}],
    ['PUT', `/api/requests/${request}/delivery`, {}],
    ['PUT', `/api/requests/${request}/deadline`, { timeout: null }],
    ['POST', `/api/requests/${request}/value`, {}],
    ['GET', `/api/requests/${request}/draft`],
    ['PUT', `/api/requests/${request}/draft`, { answers: [] }],
    ['DELETE', `/api/requests/${request}/draft`, {}],
    ['GET', `/api/requests/${request}/drafts`],
    ['PUT', `/api/requests/${request}/drafts/discard`, { by: 'person' }],
    ['GET', '/api/events'],
    ['GET', '/api/runs'],
    ['POST', '/api/runs', { command: ['agent'], cwd: '/work' }],
    ['GET', `/api/runs/${run}`],
    ['PATCH', `/api/runs/${run}`, { pid: 1 }],
    ['POST', `/api/runs/${run}/pause`, {}],
    ['POST', `/api/runs/${run}/resume`, {}],
    ['POST', `/api/runs/${run}/stop`, {}],
    ['GET', `/api/runs/${run}/log`],
    ['GET', `/api/runs/${run}/checkpoints`],
    ['POST', `/api/runs/${run}/checkpoints`, { reason: 'demand' }],
    ['GET', '/api/checkpoints/chk_x'],
    ['GET', '/api/kept'],
    ['DELETE', '/api/kept/KEY', {}],
    ['GET', '/api/tokens'],
    ['POST', '/api/tokens', { scope: 'admin' }],
    ['DELETE', '/api/tokens/tok_x', {}],
    ['GET', '/api/session'],
    ['DELETE', '/api/session', {}],
    ['POST', '/api/session/links', {}],
    ['GET', '/api/sessions'],
    ['DELETE', '/api/sessions/tok_x', {}],
    ['DELETE', '/api/sessions', {}],
    ['GET', '/metrics'],
  ]
}

async function raiseInRun(server: TestServer) {
  const run = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
  const { id } = await server.hub.raise({ ...shipIt, run: run.id })
  return { id, run: run.id }
}

describe('a caller without a token', () => {
  it('gets only the page and the health check', async () => {
    const server = await start()
    const { id, run } = await raiseInRun(server)
    const bad = ['', 'nonsense', 'beckon_admin_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']
    for (const [method, path, body] of everyCall(id, run)) {
      const { status, json, text } = await call(server, method, path, { body })
      expect([method, path, status]).toEqual([method, path, 401])
      expect(json.error.code).toBe('unauthenticated')
      expect(text).not.toContain('Ship it')
    }
    for (const token of bad) {
      expect((await call(server, 'GET', '/api/requests', { token })).status).toBe(401)
    }
    expect(await call(server, 'GET', '/healthz')).toMatchObject({ status: 200, json: { ok: true, version: '0.0.0' } })
    expect(await call(server, 'GET', '/')).toMatchObject({ status: 200 })
    expect((await server.hub.get(id)).status).toBe('pending')
  })

  it('is not authenticated by a link or a token in the URL', async () => {
    const server = await start()
    const token = await server.token('admin')
    const link = (await server.signInLink({ name: 'person', scope: 'admin' })).split('#signin=')[1] ?? ''
    for (const path of [`/api/requests?token=${token}`, `/api/requests?access_token=${token}`]) {
      expect((await call(server, 'GET', path)).status).toBe(401)
    }
    expect((await call(server, 'GET', '/api/requests', { token: link })).status).toBe(401)
  })

  it('is throttled after failed sign-ins and finally refused, while others can sign in', async () => {
    const server = await start()
    const statuses: number[] = []
    await Promise.all(
      Array.from({ length: 14 }, async () => {
        statuses.push((await call(server, 'POST', '/api/session', { body: { secret: 'guess' } })).status)
      }),
    )
    expect(statuses.filter(status => status === 401)).toHaveLength(10)
    expect(statuses.filter(status => status === 429)).toHaveLength(4)
    const refused = await call(server, 'POST', '/api/session', { body: { secret: 'guess' } })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } })
    expect(await signIn(server)).toMatch(/^beckon_\d+=beckon_session_/)
  })
})

describe('an ask token', () => {
  it('can only ask, and sees only its own requests', async () => {
    const server = await start()
    const { id, run } = await raiseInRun(server)
    const token = await server.token('ask')
    const allowed = new Map<string, number>([
      ['POST /api/requests', 201],
      ['GET /api/requests', 200],
      ['GET /api/events', 200],
      ['GET /api/session', 200],
      ['DELETE /api/session', 200],
      ['GET /metrics', 403],
    ])
    for (const [method, path, body] of everyCall(id, run)) {
      const { status, json } = await call(server, method, path, { token, body })
      const route = `${method} ${path}`
      const hidden =
        ['cancel', 'delivery', 'value'].some(verb => path.endsWith(verb)) || /req_\w+(\?wait=0)?$/.test(path)
      expect([route, status]).toEqual([route, allowed.get(route) ?? (hidden ? 404 : 403)])
      if (route === 'GET /api/requests') expect(json.requests.map((one: { run: string }) => one.run)).toEqual([null])
      if (route === 'GET /api/events') {
        expect(json.events.map((event: { type: string }) => event.type)).toEqual(['request.created'])
      }
    }
    expect((await server.hub.get(id)).status).toBe('pending')
  })

  it('can use, wait for and cancel its own requests, and not those of another token', async () => {
    const server = await start()
    const [mine, theirs] = [await server.token('ask'), await server.token('ask')]
    const ask = async (token: string, body: object) =>
      (await call(server, 'POST', '/api/requests', { token, body })).json
    const { id } = await ask(mine, shipIt)
    const secret = await ask(mine, apiKey)
    for (const [method, verb] of [
      ['GET', ''],
      ['GET', '?wait=0'],
      ['PUT', '/cancel'],
      ['PUT', '/delivery'],
      ['POST', '/value'],
    ] as const) {
      for (const request of [id, secret.id]) {
        const { status } = await call(server, method, `/api/requests/${request}${verb}`, { token: theirs, body: {} })
        expect([verb, status]).toEqual([verb, 404])
      }
    }
    await server.hub.answer(secret.id, { value: 'sk-0123456789' })
    const value = await call(server, 'POST', `/api/requests/${secret.id}/value`, { token: mine, body: {} })
    expect(value).toMatchObject({
      status: 200,
      json: { value: 'sk-0123456789' },
      headers: { 'cache-control': 'no-store' },
    })
    const again = await call(server, 'POST', `/api/requests/${secret.id}/value`, { token: mine, body: {} })
    expect(again).toMatchObject({ status: 409, json: { error: { code: 'used' } } })
    const cancelled = await call(server, 'PUT', `/api/requests/${id}/cancel`, { token: mine, body: {} })
    expect(cancelled).toMatchObject({ status: 200, json: { status: 'cancelled' } })
  })

  it('can ask only in the run it is bound to, and in no run if it is not bound', async () => {
    const server = await start()
    const [one, other] = [await raiseInRun(server), await raiseInRun(server)]
    const bound = await server.token('ask', { run: one.run })
    const free = await server.token('ask')
    const ask = (token: string, run?: string) =>
      call(server, 'POST', '/api/requests', { token, body: { ...shipIt, context: 'c', ...(run ? { run } : {}) } })
    expect(await ask(bound)).toMatchObject({ status: 201, json: { run: one.run } })
    expect((await ask(bound, one.run)).status).toBe(200)
    expect((await ask(bound, other.run)).status).toBe(403)
    expect((await ask(free, one.run)).status).toBe(403)
    expect((await call(server, 'GET', `/api/requests/${one.id}`, { token: bound })).status).toBe(200)
    expect((await call(server, 'GET', `/api/requests/${other.id}`, { token: bound })).status).toBe(404)
    expect((await call(server, 'GET', `/api/requests?run=${other.run}`, { token: bound })).status).toBe(403)
    const { json } = await call(server, 'GET', '/api/events', { token: bound })
    expect(new Set(json.events.map((event: { run: string }) => event.run))).toEqual(new Set([one.run]))
  })

  it('is rate-limited', async () => {
    const server = await start({ rateLimit: { burst: 3, perSecond: 0 } })
    const token = await server.token('ask')
    const statuses: number[] = []
    for (const context of ['1', '2', '3', '4']) {
      statuses.push((await call(server, 'POST', '/api/requests', { token, body: { ...shipIt, context } })).status)
    }
    expect(statuses).toEqual([201, 201, 201, 429])
    const person = await server.token('answer')
    expect((await call(server, 'POST', '/api/requests', { token: person, body: shipIt })).status).toBe(201)
  })
})

describe('an answer token', () => {
  it('can create only ask tokens for a run that it started, and cannot list tokens', async () => {
    const server = await start()
    const { run: foreign } = await raiseInRun(server)
    const token = await server.token('answer')
    const started = await call(server, 'POST', '/api/runs', { token, body: { command: ['agent'], cwd: '/' } })
    const run = started.json.id
    const make = (body: object) => call(server, 'POST', '/api/tokens', { token, body })
    for (const body of [{ scope: 'admin' }, { scope: 'answer' }, { scope: 'ask' }, { scope: 'ask', run: foreign }]) {
      expect((await make(body)).status).toBe(403)
    }
    expect(await make({ scope: 'ask', run })).toMatchObject({ status: 201, json: { token: { run, scope: 'ask' } } })
    expect((await call(server, 'GET', '/api/tokens', { token })).status).toBe(403)
    expect((await call(server, 'DELETE', '/api/tokens/tok_x', { token, body: {} })).status).toBe(403)
  })

  it('cannot use a secret that somebody else asked for', async () => {
    const server = await start()
    const asker = await server.client('ask')
    const { id } = await asker.raise(apiKey)
    await server.hub.answer(id, { value: 'sk-0123456789' })
    for (const scope of ['answer', 'admin'] as const) {
      const token = await server.token(scope)
      expect((await call(server, 'POST', `/api/requests/${id}/value`, { token, body: {} })).status).toBe(403)
    }
    const cookie = await signIn(server)
    const origin = `http://127.0.0.1:${server.port}`
    const taken = await call(server, 'POST', `/api/requests/${id}/value`, { headers: { cookie, origin }, body: {} })
    expect(taken.status).toBe(403)
    expect(await asker.use(id)).toMatchObject({ value: 'sk-0123456789' })
  })

  it('cannot claim to be a browser, a rule or a deadline', async () => {
    const server = await start()
    const { id } = await raiseInRun(server)
    const token = await server.token('answer', { name: 'chat' })
    for (const channel of ['web', 'rule', 'policy', ' web', 'web\t', 'Rule']) {
      const body = { value: 'yes', channel }
      expect((await call(server, 'PUT', `/api/requests/${id}/answer`, { token, body })).status).toBe(403)
    }
    const { json } = await call(server, 'PUT', `/api/requests/${id}/answer`, { token, body: { value: 'yes' } })
    expect(json.outcome).toMatchObject({ by: 'chat', channel: 'http' })
  })
})

describe('a signed-in browser', () => {
  it('answers as the signed-in person, even if it gives another name', async () => {
    const server = await start()
    const { id } = await raiseInRun(server)
    const headers = { cookie: await signIn(server, 'answer', 'minji'), origin: `http://127.0.0.1:${server.port}` }
    const body = { value: 'yes', by: 'root', channel: 'cli' }
    const { json } = await call(server, 'PUT', `/api/requests/${id}/answer`, { headers, body })
    expect(json.outcome).toMatchObject({ by: 'minji', channel: 'web' })
  })

  it('cannot be used by a page of another site', async () => {
    const server = await start()
    const { id } = await raiseInRun(server)
    const cookie = await signIn(server)
    const own = `http://127.0.0.1:${server.port}`
    const answer = (headers: Record<string, string>, body: unknown = { value: 'yes' }) =>
      call(server, 'PUT', `/api/requests/${id}/answer`, { headers: { cookie, ...headers }, body })
    for (const origin of ['https://evil.example', 'null', `${own}.evil.example`, `https://127.0.0.1:${server.port}`]) {
      expect((await answer({ origin })).status).toBe(403)
    }
    expect((await answer({})).status).toBe(403)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/json']) {
      expect((await answer({ origin: own, 'content-type': type })).status).toBe(415)
    }
    expect((await server.hub.get(id)).status).toBe('pending')
    expect((await answer({ origin: own })).status).toBe(200)
  })

  it('is refused under a foreign host name, which prevents DNS rebinding', async () => {
    const server = await start({ names: ['beckon.internal'] })
    const cookie = await signIn(server)
    const token = await server.token('admin')
    for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', `127.0.0.1:${server.port}.evil`]) {
      for (const path of ['/', '/api/requests', '/api/events', '/metrics']) {
        const { status } = await call(server, 'GET', path, { token, headers: { host, cookie } })
        expect([host, path, [400, 421].includes(status)]).toEqual([host, path, true])
      }
    }
    for (const host of [`localhost:${server.port}`, `LOCALHOST:${server.port}`, `beckon.internal:${server.port}`]) {
      expect((await call(server, 'GET', '/api/requests', { token, headers: { host } })).status).toBe(200)
    }
  })

  it('keeps its cookie from scripts, other sites and other ports', async () => {
    const server = await start()
    const secret = (await server.signInLink({ name: 'person', scope: 'admin' })).split('#signin=')[1]
    const { headers } = await call(server, 'POST', '/api/session', { body: { secret } })
    expect(headers['set-cookie']).toHaveLength(1)
    expect(headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^beckon_${server.port}=beckon_session_[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Expires=`),
    )
    const https = await start({ publicUrl: 'https://beckon.example.com' })
    const cookie = await call(https, 'POST', '/api/session', {
      headers: { host: 'beckon.example.com' },
      body: { secret: (await https.signInLink({ name: 'person', scope: 'admin' })).split('#signin=')[1] },
    })
    expect(cookie.headers['set-cookie']?.[0]).toMatch(/^__Host-beckon=.*; HttpOnly; SameSite=Strict; Secure;/)
  })
})

describe('a sign-in link', () => {
  it('can be used once', async () => {
    const server = await start()
    const link = await server.signInLink({ name: 'person', scope: 'admin' })
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#signin=beckon_link_/)
    const secret = link.split('#signin=')[1]
    // A link preview fetches the page without using up the link.
    expect((await call(server, 'GET', `/?signin=${secret}`)).status).toBe(200)
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => call(server, 'POST', '/api/session', { body: { secret } })),
    )
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
  })

  it('expires after 15 minutes, and a session after 30 days', async () => {
    let moved = 0
    const server = await start({ hub: { shift: () => moved } })
    const secretOf = async () => (await server.signInLink({ name: 'person', scope: 'admin' })).split('#signin=')[1]
    const late = await secretOf()
    moved += 15 * 60_000
    expect((await call(server, 'POST', '/api/session', { body: { secret: late } })).status).toBe(401)
    const cookie = await signIn(server)
    moved += 30 * 86_400_000
    const other = await startServer(join(temporaryFolder(), 'other.db'))
    expect((await call(other, 'GET', '/api/session', { headers: { cookie } })).status).toBe(401)
    await expect
      .poll(async () => (await call(server, 'GET', '/api/session', { headers: { cookie } })).status, {
        timeout: 10_000,
      })
      .toBe(401)
  })

  it('can be replaced by an answer token, whose session ends with it, but not by an ask token', async () => {
    const server = await start()
    const { token, secret } = await server.hub.tokens.create({ scope: 'answer', name: 'minji' })
    const { headers, json } = await call(server, 'POST', '/api/session', { body: { secret } })
    expect(json).toMatchObject({ user: 'minji', scope: 'answer' })
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    expect((await call(server, 'GET', '/api/requests', { headers: { cookie } })).status).toBe(200)
    await server.hub.tokens.revoke(token.id)
    await expect
      .poll(async () => (await call(server, 'GET', '/api/requests', { headers: { cookie } })).status, {
        timeout: 10_000,
      })
      .toBe(401)
    const agent = await server.token('ask')
    expect((await call(server, 'POST', '/api/session', { body: { secret: agent } })).status).toBe(401)
  })

  it('opens a session that ends at sign-out', async () => {
    const server = await start()
    const headers = { cookie: await signIn(server), origin: `http://127.0.0.1:${server.port}` }
    const { status, headers: responseHeaders } = await call(server, 'DELETE', '/api/session', { headers, body: {} })
    expect(status).toBe(200)
    expect(responseHeaders['set-cookie']?.[0]).toContain('Expires=Thu, 01 Jan 1970')
    expect((await call(server, 'GET', '/api/session', { headers })).status).toBe(401)
  })
})

describe('input', () => {
  it('is refused if it is too large, too deep, or not JSON', async () => {
    const server = await start()
    const token = await server.token('answer')
    const post = (body: string, headers = {}) => call(server, 'POST', '/api/requests', { token, body, headers })
    expect(await post(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)).toMatchObject({ status: 413 })
    expect(await post('['.repeat(100_000))).toMatchObject({ status: 413 })
    expect(await post(`{"questions":[{"question":"${'[{'.repeat(100)}\\"[["}]}`)).toMatchObject({ status: 201 })
    for (const body of ['{', 'nonsense', '{"a":1}x', '"\ud800']) {
      expect(await post(body)).toMatchObject({ status: 400, json: { error: { code: 'invalid' } } })
    }
    for (const body of ['[]', '"text"', '1', 'null', 'true'])
      expect([body, (await post(body)).status]).toEqual([body, 422])
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined }
    const large = (mebibytes: number) => `{"context":"${'x'.repeat(mebibytes * 1024 * 1024)}"}`
    const tooLarge = { status: 413, json: { error: { code: 'too_large' } } }
    for (const headers of [{}, chunked]) {
      // An ask may bring files along.
      expect(await post(large(22), headers)).toMatchObject(tooLarge)
      const answer = call(server, 'PUT', '/api/requests/req_1/answer', { token, body: large(9), headers })
      expect(await answer).toMatchObject(tooLarge)
    }
    expect((await server.hub.list()).requests).toHaveLength(1)
  })

  it('cannot change a prototype', async () => {
    const server = await start()
    const token = await server.token('answer')
    const body = '{"__proto__":{"admin":true},"constructor":{"prototype":{}},"questions":[{"question":"x"}]}'
    expect((await call(server, 'POST', '/api/requests', { token, body })).status).toBe(422)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it('cannot reach a file outside the web folder', async () => {
    const web = temporaryFolder()
    mkdirSync(join(web, 'assets'))
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>the page</title>')
    writeFileSync(join(web, 'assets', 'app-1a2b.js'), '/* app */')
    writeFileSync(join(web, '..', 'outside.txt'), 'outside')
    const server = await start({ web })
    const paths = [
      '/../outside.txt',
      '/..%2foutside.txt',
      '/%2e%2e/outside.txt',
      '/assets/../../outside.txt',
      '/..\\outside.txt',
    ]
    for (const path of [...paths, '//etc/passwd', '/assets/..%5c..%5coutside.txt', '/assets/%00', '/etc/passwd']) {
      const { text } = await call(server, 'GET', path)
      expect(text).not.toMatch(/outside|root:/)
    }
    expect(await call(server, 'GET', '/assets/app-1a2b.js')).toMatchObject({
      text: '/* app */',
      headers: {
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      },
    })
    expect((await call(server, 'GET', '/assets/none.js')).status).toBe(404)
    for (const path of ['/', '/requests/req_x', '/runs', '/settings']) {
      const { text, headers } = await call(server, 'GET', path)
      expect(text).toContain('the page')
      expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/)
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/)
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
    }
  })
})

describe.each(databases)('secrets on $name', ({ name, fresh }) => {
  it('are not in logs, events, metrics or the database', async () => {
    const lines: string[] = []
    const log = createLog('debug', { write: line => void lines.push(line) })
    const database = await fresh()
    const server = await startServer(database, { log })
    const token = await server.token('ask')
    const link = (await server.signInLink({ name: 'person', scope: 'admin' })).split('#signin=')[1] ?? ''
    const cookie = (await signIn(server)).split('=')[1] ?? ''
    const asker = await server.client('ask')
    const { id } = await asker.raise(apiKey)
    const canary = 'sk-canary-0123456789'
    const answer = await server.token('answer')
    await call(server, 'PUT', `/api/requests/${id}/answer`, { token: answer, body: { value: canary } })
    await call(server, 'PUT', `/api/requests/${id}/answer`, { token: answer, body: { value: 'sk-canary-wrong' } })
    await call(server, 'GET', `/api/requests?search=${canary}`, { token: 'beckon_ask_wrong-canary' })
    const shown = await call(server, 'GET', '/api/events', { token: answer })
    const metrics = await call(server, 'GET', '/metrics', { token: answer })
    const stored = await server.hub.tokens.list()
    const secrets = [token, link, cookie, canary, 'canary']
    const texts = [lines.join(''), shown.text, metrics.text, JSON.stringify(stored)]
    if (name === 'SQLite') texts.push(readFileSync(database, 'latin1'), readFileSync(`${database}-wal`, 'latin1'))
    for (const text of texts) for (const secret of secrets) expect(text.includes(secret)).toBe(false)
  })

  it('are not in the log when a call that carries them fails', async () => {
    const lines: string[] = []
    let isBroken = false
    const shift = () => {
      if (isBroken) throw new Error('the clock stands still')
      return 0
    }
    const log = createLog('debug', { write: line => void lines.push(line) })
    const server = await startServer(await fresh(), { log, hub: { shift, sweeps: false } })
    const token = await server.token('answer')
    const cookie = await signIn(server)
    const asker = await server.client('ask')
    const { id } = await asker.raise(apiKey)
    const headers = { cookie, origin: `http://127.0.0.1:${server.port}`, 'x-canary': 'canary', 'user-agent': 'canary' }
    await call(server, 'GET', '/api/session', { headers: { cookie } })
    await call(server, 'GET', '/api/requests', { token })
    isBroken = true
    const body = { value: 'sk-canary-0123456789', note: 'canary' }
    const calls = [
      await call(server, 'PUT', `/api/requests/${id}/answer?q=canary`, {
        token,
        body,
        headers: { 'x-canary': 'canary' },
      }),
      await call(server, 'PUT', `/api/requests/${id}/answer`, { headers, body }),
      await call(server, 'POST', '/api/session', { body: { secret: 'beckon_link_canary' } }),
      await call(server, 'POST', '/api/notify', {
        headers,
        body: { kind: 'webhook', url: 'https://x.example/canary' },
      }),
    ]
    for (const { status, text } of calls) {
      expect([status >= 500, text]).toEqual([
        true,
        expect.not.stringMatching(/clock|canary|\bat |beckon\.db|postgres:/),
      ])
    }
    const written = lines.join('')
    expect(written).toMatch(/the clock stands still|SQLITE_ERROR/)
    for (const secret of ['canary', token, cookie.split('=')[1] ?? '']) expect(written).not.toContain(secret)
  })

  it('are compared exactly', async () => {
    const server = await startServer(await fresh())
    const { secret } = await server.hub.tokens.create({ scope: 'answer' })
    const last = secret.at(-1) === 'A' ? 'B' : 'A'
    const near = [secret.slice(0, -1), `${secret.slice(0, -1)}${last}`, `${secret}A`, secret.toUpperCase()]
    for (const token of near) expect((await call(server, 'GET', '/api/requests', { token })).status).toBe(401)
    expect((await call(server, 'GET', '/api/requests', { token: secret })).status).toBe(200)
  })
})
