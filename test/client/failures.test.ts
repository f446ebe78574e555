import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, type RemoteHub } from '../../src/client/index.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from '../clients/faulty-proxy.ts'
import { startServer, type TestServer } from '../server/test-server.ts'
import { temporaryFolder } from '../setup/databases.ts'

// The client against a real server, with something in between that breaks its calls.

let server: TestServer
let proxy: FaultyProxy
let hub: RemoteHub
/** What happens to the next calls of a kind, `POST /api/requests`, one after the other. */
let faults: Record<string, (Fault | null)[]>

beforeEach(async () => {
  faults = {}
  server = await startServer(join(temporaryFolder(), 'beckon.db'))
  proxy = await startFaultyProxy(server.url, (method, path, nth) => faults[`${method} ${path}`]?.[nth] ?? null)
  hub = connect(proxy.url, { token: await server.token('ask'), agent: 'edge' })
})

afterEach(async () => {
  await hub.close()
  proxy.close()
})

const approval = { kind: 'approval', action: { command: 'git push --force', cwd: '/srv' } } as const

async function asked(): Promise<string[]> {
  return (await server.hub.list({ status: 'all' })).requests.map(({ id }) => id)
}

describe('a call whose reply does not arrive', () => {
  it.each(['lose', 'cut', 'give-up'] as const)('asks once (%s)', async fault => {
    faults = { 'POST /api/requests': [fault, fault] }
    const { id } = await hub.raise({ question: 'Ship it?' })
    expect(await asked()).toEqual([id])
    expect(proxy.calls).toHaveLength(3)
  })

  it.each(['lose', 'cut', 'give-up'] as const)('does not ask for an approval a second time (%s)', async fault => {
    faults = { 'POST /api/requests': [fault] }
    await expect(hub.raise(approval)).rejects.toMatchObject({ code: 'unreachable' })
    expect(proxy.calls).toEqual(['POST /api/requests'])
  })

  it('is sent again for an approval that has a key, or takes up what it asked', async () => {
    faults = { 'POST /api/requests': ['lose', null, null, 'cut', null] }
    const { id } = await hub.raise({ ...approval, key: 'push-7' })
    const { id: other } = await hub.raise(approval)
    expect(await hub.raise({ ...approval, takeUp: true })).toMatchObject({ id: other })
    expect(await asked()).toEqual([id, other])
  })

  it('sends a call again that did not reach the server whole, whatever it does', async () => {
    const error = { code: 'invalid', message: 'The call took too long to arrive.', details: null }
    faults = { 'POST /api/requests': [{ status: 408, body: JSON.stringify({ error }) }] }
    const { id } = await hub.raise(approval)
    expect(await asked()).toEqual([id])
  })

  it('does not end a wait', async () => {
    const { id } = await hub.raise({ question: 'Ship it?' })
    await server.hub.answer(id, { value: 'soon' })
    faults = { 'GET /api/requests/ID': ['lose', 'cut', 'give-up', { status: 429 }, { status: 503 }, 'cut'] }
    expect((await hub.wait(id)).outcome?.value).toBe('soon')
  })
})

describe('what replies and is not a hub', () => {
  it.each([
    ['a page', { status: 200, body: '<h1>Welcome</h1>' }, 'did not answer in JSON. Is it a hub?'],
    ['a text in JSON', { status: 200, body: '"hello"' }, 'did not answer in JSON. Is it a hub?'],
    [
      'a page that is missing',
      { status: 404, body: '<h1>Not found</h1>' },
      'replied with the status 404. Is it a hub?',
    ],
    ['a redirect', { status: 302, headers: { location: '/login' } }, 'redirects elsewhere.'],
  ])('ends a wait and every other call: %s', async (_, fault, message) => {
    faults = { 'GET /api/requests/ID': [fault, fault], 'POST /api/requests': [fault] }
    await expect(hub.wait('req_01')).rejects.toThrow(message)
    await expect(hub.raise({ question: 'Ship it?' })).rejects.toThrow(message)
    expect(proxy.calls).toHaveLength(2)
  })
})

describe('a server that is asked too often', () => {
  it('is asked again after the time that it names', async () => {
    const replies = [
      new Response('', { status: 429, headers: { 'retry-after': '7' } }),
      Response.json({ id: 'req_1', status: 'pending', outcome: null }),
    ]
    const fetch = vi.fn<typeof globalThis.fetch>(async () => replies.shift() as Response)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const raising = connect('http://hub.test', { token: 'secret', fetch }).raise(approval)
      await vi.advanceTimersByTimeAsync(6_999)
      expect(fetch).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await raising).toMatchObject({ id: 'req_1' })
    } finally {
      vi.useRealTimers()
    }
  })
})

it('leaves the request open when it is told to stop waiting, and takes it up again', async () => {
  const over = new AbortController()
  const asking = hub.ask({ question: 'Ship it?' }, { signal: over.signal })
  const reason = new Error('The user has left.')
  await vi.waitFor(() => expect(proxy.calls).toContain('GET /api/requests/ID'))
  over.abort(reason)
  await expect(asking).rejects.toBe(reason)
  const [id = ''] = await asked()
  await server.hub.answer(id, { value: 'yes' })
  expect(await hub.ask({ question: 'Ship it?' })).toMatchObject({ id, value: 'yes' })
})

it('says what a token may not do', async () => {
  const { id } = await hub.raise({ question: 'Ship it?' })
  await expect(hub.answer(id, { value: 'yes' })).rejects.toMatchObject({ code: 'not_allowed' })
  await expect(hub.tokens.create({ scope: 'admin' })).rejects.toMatchObject({ code: 'not_allowed' })
  const nobody = connect(proxy.url, { token: 'wrong' })
  await expect(nobody.get(id)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect((await server.hub.get(id)).status).toBe('pending')
})
