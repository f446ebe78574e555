import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSignInThrottle } from '../../src/server/access/sign-in-throttle.ts'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { openStream } from './event-stream.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

function start(options: Parameters<typeof startServer>[1] = {}): Promise<TestServer> {
  return startServer(join(temporaryFolder(), 'beckon.db'), options)
}

describe('one token', () => {
  it('can keep only a limited number of waits and streams open', async () => {
    const server = await start({ limits: { maxOpen: 3 } })
    const { id } = await server.hub.raise(shipIt)
    const token = await server.token('answer')
    const path = `/api/requests/${id}?wait=60`
    const streams = [await openStream(server, token), await openStream(server, token)]
    const waiting = call(server, 'GET', path, { token })
    await expect.poll(async () => (await metric(server, 'beckon_waits_held')) === 1).toBe(true)
    expect(await call(server, 'GET', path, { token })).toMatchObject({
      status: 429,
      json: { error: { code: 'too_many' } },
    })
    const accept = { accept: 'text/event-stream' }
    expect((await call(server, 'GET', '/api/events', { token, headers: accept })).status).toBe(429)
    expect((await call(server, 'GET', '/api/requests', { token })).status).toBe(200)
    expect((await openStream(server, await server.token('answer'))).status).toBe(200)
    streams[0]?.request.destroy()
    await expect.poll(async () => (await metric(server, 'beckon_streams_open')) === 2).toBe(true)
    expect((await openStream(server, token)).status).toBe(200)
    await server.hub.answer(id, { value: 'yes' })
    expect((await waiting).json.status).toBe('answered')
  })

  it('is rate-limited sooner if its requests are large', async () => {
    const server = await start({ rateLimit: { burst: 10, perSecond: 0 } })
    const ask = async (token: string, context: string, headers = {}) =>
      (await call(server, 'POST', '/api/requests', { token, body: { ...shipIt, context }, headers })).status
    const large = await server.token('ask')
    expect([await ask(large, 'x'.repeat(400_000)), await ask(large, 'small')]).toEqual([201, 429])
    const unknown = await server.token('ask')
    const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined }
    expect([await ask(unknown, 'a', chunked), await ask(unknown, 'b')]).toEqual([201, 429])
    const small = await server.token('ask')
    expect([await ask(small, '1'), await ask(small, '2'), await ask(small, '3')]).toEqual([201, 201, 201])
    // The body of a rate-limited call is not read.
    expect(await call(server, 'POST', '/api/requests', { token: large, body: '{' })).toMatchObject({ status: 429 })
  })

  it('cannot search if it is an ask token', async () => {
    const server = await start()
    const token = await server.token('ask')
    expect((await call(server, 'GET', '/api/requests?search=a', { token })).status).toBe(403)
  })
})

describe.each(databases)('a page on $name', ({ fresh }) => {
  it('ends early if the requests are large, and continues on the next page', async () => {
    const server = await startServer(await fresh())
    const token = await server.token('answer')
    const ids: string[] = []
    for (let i = 0; i < 40; i += 1) {
      ids.push((await server.hub.raise({ ...shipIt, context: `${i} ${'x'.repeat(990_000)}` })).id)
    }
    const listed: string[] = []
    let pages = 0
    for (let after: string | null = ''; after !== null; pages += 1) {
      const { json, text } = await call(server, 'GET', `/api/requests?limit=1000${after ? `&after=${after}` : ''}`, {
        token,
      })
      expect(text.length).toBeLessThan(35_000_000)
      listed.push(...json.requests.map((one: { id: string }) => one.id))
      after = json.next
    }
    expect(listed).toEqual(ids)
    expect(pages).toBe(2)
  })
})

describe('a body made to overload the server', () => {
  it('is refused early with a short error', async () => {
    const server = await start()
    const token = await server.token('answer')
    const post = (body: string) => call(server, 'POST', '/api/requests', { token, body })
    const fields = Array.from({ length: 600_000 }, (_, i) => `"k${i}":1`)
    expect(await post(`{${fields.join(',')}}`)).toMatchObject({ status: 413, json: { error: { code: 'too_large' } } })
    expect(await post(`[${'1,'.repeat(2_000_000)}1]`)).toMatchObject({ status: 413 })
    const some = await post(`{${fields.slice(0, 50_000).join(',')}}`)
    expect(some).toMatchObject({ status: 422, json: { error: { code: 'invalid' } } })
    expect(some.text.length).toBeLessThan(20_000)
    const long = await post(`{"${'k'.repeat(1_000_000)}":1}`)
    expect(long.status).toBe(422)
    expect(long.text.length).toBeLessThan(2_000)
    for (const timeout of ['1e999', '-1e999', '1e308', '123456789012345678901234567890', '-0.5']) {
      const { status, json } = await post(`{"questions":[{"question":"x"}],"timeout":${timeout}}`)
      expect([timeout, status, json.error.details[0].path]).toEqual([timeout, 422, 'timeout'])
    }
    expect((await server.hub.list()).requests).toEqual([])
  })
})

it('an ask may be as large as the operator says, and its files come on top', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'), { limits: { maxBody: 65_536 } })
  const token = await server.token('ask')
  const post = (more: object) => call(server, 'POST', '/api/requests', { token, body: { ...shipIt, ...more } })
  const attachments = [{ name: 'log', data: Buffer.alloc(100_000, 'log').toString('base64') }]
  expect(await post({ key: 'files', attachments })).toMatchObject({ status: 201 })
  const tooLarge = { status: 413, json: { error: { message: 'The body is larger than 65536 bytes.' } } }
  expect(await post({ context: 'x'.repeat(65_536) })).toMatchObject(tooLarge)
  expect(await post({ context: 'x'.repeat(65_536), attachments })).toMatchObject(tooLarge)
  // The length is not announced: it is counted.
  const body = new Blob([JSON.stringify({ ...shipIt, context: 'é'.repeat(40_000) })]).stream()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  expect((await fetch(`${server.url}/api/requests`, init as RequestInit)).status).toBe(413)
  expect((await server.hub.list()).requests).toMatchObject([{ key: 'files' }])
})

describe('failed sign-ins', () => {
  it('are throttled together if they come from one network', async () => {
    const waits: number[] = []
    const throttle = createSignInThrottle(async ms => waits.push(ms))
    for (let i = 1; i <= 10; i += 1) await throttle.delayFailure(`2001:db8:0:7::${i.toString(16)}`)
    await expect(throttle.delayFailure('2001:db8:0:7:1:2:3:4')).rejects.toMatchObject({ status: 429 })
    expect(waits).toEqual([50, 100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000])
    await throttle.delayFailure('2001:db8:0:8::1')
    await throttle.delayFailure('::ffff:192.0.2.1')
    await throttle.delayFailure('::ffff:192.0.2.2')
    await throttle.delayFailure('192.0.2.1')
    expect(waits.slice(11)).toEqual([50, 50, 50, 50])
  })
})

async function metric(server: TestServer, name: string): Promise<number> {
  const { text } = await call(server, 'GET', '/metrics', { token: await server.token('answer') })
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}
