import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { openStream, type Stream } from './event-stream.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

async function raiseMany(server: TestServer, count: number): Promise<string[]> {
  const raised = await Promise.all(
    Array.from({ length: count }, (_, i) => server.hub.raise({ ...shipIt, context: `${Math.random()} ${i}` })),
  )
  return raised.map(({ id }) => id)
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1)
}

describe.each(databases)('an event stream on $name', ({ fresh }) => {
  it('sends every event after the cursor with its id, and then new ones', async () => {
    const server = await startServer(await fresh())
    await raiseMany(server, 3)
    const stream = await openStream(server, await server.token('answer'), { path: '/api/events?since=1' })
    const [id] = await raiseMany(server, 1)
    await server.hub.cancel(id ?? '')
    await stream.until(() => stream.ids().length === 4)
    expect(stream.ids()).toEqual([2, 3, 4, 5])
    expect(stream.response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const last = stream.lines().at(-2)?.slice('data: '.length) ?? ''
    expect(JSON.parse(last)).toMatchObject({ id: 5, type: 'request.cancelled', request: id })
  })

  it('starts with new events without a cursor, and resumes after Last-Event-ID', async () => {
    const server = await startServer(await fresh())
    await raiseMany(server, 3)
    const token = await server.token('answer')
    const first = await openStream(server, token)
    await raiseMany(server, 1)
    await first.until(() => first.ids().length === 1)
    expect(first.ids()).toEqual([4])
    first.request.destroy()
    await raiseMany(server, 20)
    const second = await openStream(server, token, { headers: { 'last-event-id': '4' }, path: '/api/events?since=1' })
    await second.until(() => second.ids().length === 20)
    expect(second.ids()).toEqual(upTo(24).slice(4))
  })

  it('misses and repeats nothing under many concurrent changes', async () => {
    const server = await startServer(await fresh())
    const token = await server.token('answer')
    const raising = (async () => {
      for (let i = 0; i < 20; i += 1) await raiseMany(server, 20)
    })()
    const streams: Stream[] = []
    for (let i = 0; i < 10; i += 1) streams.push(await openStream(server, token, { path: '/api/events?since=0' }))
    await raising
    for (const stream of streams) {
      await stream.until(() => stream.ids().length >= 400)
      expect(stream.ids()).toEqual(upTo(400))
    }
  })

  it('sends an agent only the events of its own requests', async () => {
    const server = await startServer(await fresh())
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/' })
    const [free, bound] = [await server.client('ask'), await server.client('ask', { run: run.id })]
    const followEvents = async (client: typeof free) => {
      const stop = new AbortController()
      const types: [number, string][] = []
      const following = (async () => {
        for await (const event of client.follow({ since: 0, signal: stop.signal })) {
          types.push([event.id, event.type])
          if (event.type === 'request.answered') stop.abort()
        }
      })()
      return { types, following }
    }
    const [one, other] = [await followEvents(free), await followEvents(bound)]
    await raiseMany(server, 5)
    const mine = await free.raise(shipIt)
    const ours = await bound.raise(shipIt)
    expect(ours.run).toBe(run.id)
    await server.hub.answer(mine.id, { value: 'yes' })
    await server.hub.answer(ours.id, { value: 'no' })
    await Promise.all([one.following, other.following])
    expect(one.types.map(([, type]) => type)).toEqual(['request.created', 'request.answered'])
    expect(other.types.map(([, type]) => type)).toEqual(['run.started', 'request.created', 'request.answered'])
  })

  it('ends, like a wait, when the token expires or is revoked on any server', async () => {
    let moved = 0
    const database = await fresh()
    const hub = { shift: () => moved }
    const server = await startServer(database, { hub })
    const elsewhere = await startServer(database, { hub })
    const admin = await server.client('admin')
    const { id } = await server.hub.raise(shipIt)
    const ends: ((id: string) => Promise<unknown>)[] = [
      id => admin.tokens.revoke(id),
      id => elsewhere.hub.tokens.revoke(id),
      async () => {
        moved += 3_600_000
      },
    ]
    for (const end of ends) {
      const { token, secret } = await server.hub.tokens.create({ scope: 'answer', expires: 3_600_000 })
      const stream = await openStream(server, secret)
      const waiting = httpRequest({
        port: server.port,
        path: `/api/requests/${id}?wait=60`,
        headers: { authorization: `Bearer ${secret}` },
      })
      waiting.end()
      const answered = once(waiting, 'response') as Promise<[IncomingMessage]>
      await end(token.id)
      await stream.ended
      const [response] = await answered
      expect(response.statusCode).toBe(401)
      response.resume()
    }
  })
})

describe('an event stream', () => {
  it('sends heartbeats when nothing happens', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'), { heartbeat: 5 })
    const stream = await openStream(server, await server.token('answer'))
    await stream.until(() => stream.lines().filter(line => line === ':').length > 3)
    expect(stream.ids()).toEqual([])
  })

  it('buffers little when its reader is slow, and catches up without a gap', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'))
    const token = await server.token('answer')
    const slow = await openStream(server, token)
    slow.response.pause()
    const fast = await openStream(server, token)
    const reason = 'x'.repeat(10_000)
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/' })
    // 40 MB of events, more than all buffers in between can hold.
    for (let i = 0; i < 40; i += 1) {
      await Promise.all(Array.from({ length: 100 }, () => server.hub.runs.change(run.id, { error: reason })))
    }
    await fast.until(() => fast.lines().at(-1) === 'id: 4001' || fast.lines().at(-2) === 'id: 4001')
    const { text } = await call(server, 'GET', '/metrics', { token })
    const buffered = Number(/^beckon_streams_buffered_bytes (\d+)$/m.exec(text)?.[1])
    expect(buffered).toBeGreaterThan(0)
    expect(buffered).toBeLessThan(4_000_000)
    slow.response.resume()
    await slow.until(() => slow.lines().at(-1) === 'id: 4001' || slow.lines().at(-2) === 'id: 4001')
    expect(slow.ids()).toEqual(upTo(4_001))
  }, 60_000)

  it('can be read in pages without following', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'))
    await raiseMany(server, 5)
    const client = await server.client('answer')
    expect((await client.events({ since: 1, limit: 2 })).map(({ id }) => id)).toEqual([2, 3])
  })
})
