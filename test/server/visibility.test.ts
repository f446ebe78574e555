import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { BeckonError, type Event, type HubApi, type Request } from '../../src/protocol/index.ts'
import type { SignedInCaller } from '../../src/server/access/callers.ts'
import { createFeed } from '../../src/server/live/event-feed.ts'
import { createStreams } from '../../src/server/live/event-streams.ts'
import { createLongPolls } from '../../src/server/live/long-poll.ts'
import { databases } from '../setup/databases.ts'
import { openStream } from './event-stream.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const apiKey = { kind: 'dependency', type: 'api_key', name: 'API_KEY', description: 'To call the API' } as const

/** Creates events of many types, for runs and requests of nobody in the test. */
async function createManyEvents({ hub }: TestServer) {
  const run = await hub.runs.start({ command: ['agent'], cwd: '/work', sleeps: true })
  const inRun = async (context: string) => (await hub.raise({ ...shipIt, context, run: run.id })).id
  const move = (status: 'running' | 'paused' | 'asleep') => hub.runs.change(run.id, { status })
  await move('running')
  await move('paused')
  await move('running')
  await hub.runs.change(run.id, { error: 'something' })
  await hub.answer(await inRun('answered'), { value: 'yes' })
  await hub.decline(await inRun('declined'), { reason: 'no' })
  const key = await hub.raise({ ...apiKey, run: run.id })
  await hub.answer(key.id, { value: 'sk-0123456789', keep: true })
  await hub.use(key.id)
  await hub.kept.forget('API_KEY')
  const optional = await hub.raise({ ...shipIt, required: false, context: 'skipped' })
  await hub.skip(optional.id)
  await hub.cancel((await hub.raise({ ...shipIt, context: 'cancelled' })).id)
  await move('asleep')
  await move('running')
  await hub.runs.change(run.id, { status: 'completed' })
  return run
}

describe.each(databases)('an agent on $name', ({ fresh }) => {
  it('sees only its own requests and events, in streams, pages and lists', async () => {
    const server = await startServer(await fresh())
    const others = await server.client('ask')
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const [free, bound] = [await server.token('ask'), await server.token('ask', { run: run.id })]
    const person = await openStream(server, await server.token('answer'), { path: '/api/events?since=0' })
    const streams = await Promise.all(
      [free, bound].map(token => openStream(server, token, { path: '/api/events?since=0' })),
    )
    const ask = async (token: string, context: string) =>
      (await call(server, 'POST', '/api/requests', { token, body: { ...shipIt, context } })).json.id as string
    const mine = [await ask(free, 'first'), await ask(bound, 'first')]
    await createManyEvents(server)
    const foreign = await others.raise(shipIt)
    await server.hub.answer(foreign.id, { value: 'no' })
    for (const id of mine) await server.hub.answer(id, { value: 'yes' })
    const types = new Set<string>()
    const last = (await server.hub.events()).at(-1)?.id ?? 0
    await person.until(() => person.ids().at(-1) === last)
    for (const event of dataOf(person)) types.add(event.type)
    expect([...types].filter(type => type.startsWith('kept.'))).toEqual(['kept.added', 'kept.removed'])
    expect(types.size).toBeGreaterThan(15)

    for (const [i, stream] of streams.entries()) {
      await stream.until(() => dataOf(stream).some(({ type }) => type === 'request.answered'))
      const token = i === 0 ? free : bound
      const page = (await call(server, 'GET', '/api/events', { token })).json.events as SeenEvent[]
      for (const events of [dataOf(stream), page]) {
        for (const event of events) {
          expect(i === 0 ? event.request : event.run).toBe(i === 0 ? mine[0] : run.id)
        }
        expect(events.map(({ type }) => type)).toEqual([
          ...(i === 0 ? [] : ['run.started']),
          'request.created',
          'request.answered',
        ])
      }
      const { json } = await call(server, 'GET', '/api/requests?status=all', { token })
      expect(json.requests.map(({ id }: Request) => id)).toEqual([mine[i]])
      for (const id of [mine[1 - i], foreign.id]) {
        expect((await call(server, 'GET', `/api/requests/${id}?wait=0`, { token })).status).toBe(404)
      }
    }
  })

  it('does not learn that a person snoozed its request, and has no inbox', async () => {
    const server = await startServer(await fresh())
    const [agent, person] = [await server.client('ask'), await server.client('answer')]
    const { id } = await agent.raise(shipIt)
    await person.snooze(id, { until: new Date(Date.now() + 3_600_000).toISOString() })
    expect((await person.events()).map(({ type }) => type)).toEqual(['request.created', 'request.snoozed'])
    expect((await agent.events()).map(({ type }) => type)).toEqual(['request.created'])
    await expect(agent.inbox()).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(agent.snooze(id, { until: null })).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('finds the whole ids of its own requests and its own run alone', async () => {
    const server = await startServer(await fresh())
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const other = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const token = await server.token('ask', { run: run.id })
    const mine = (await call(server, 'POST', '/api/requests', { token, body: shipIt })).json
    const foreign = await (await server.client('ask')).raise(shipIt)
    const person = await server.token('answer')
    const find = async (id: string, token: string, of = '') => {
      const { status, json } = await call(server, 'GET', `/api/ids?end=${id.slice(-8)}${of}`, { token })
      return [status, json.ids]
    }
    expect(await find(mine.id, token)).toEqual([200, [{ id: mine.id, title: 'Ship it?', status: 'pending' }]])
    expect(await find(foreign.id, token)).toEqual([200, []])
    expect(await find(foreign.id, person)).toMatchObject([200, [{ id: foreign.id }]])
    expect(await find(run.id, token, '&of=run')).toMatchObject([200, [{ id: run.id, status: 'running' }]])
    expect(await find(other.id, token, '&of=run')).toEqual([200, []])
    expect(await find(other.id, person, '&of=run')).toMatchObject([200, [{ id: other.id }]])
    expect((await call(server, 'GET', '/api/ids?end=7f', { token })).status).toBe(422)
    expect((await call(server, 'GET', '/api/ids?end=7f3')).status).toBe(401)
  })

  it('cancels in its own name, even if it gives another one', async () => {
    const server = await startServer(await fresh())
    const token = await server.token('ask', { name: 'nightly' })
    const { id } = (await call(server, 'POST', '/api/requests', { token, body: shipIt })).json
    const body = { by: 'minji', channel: 'terminal', reason: 'r' }
    const { json } = await call(server, 'PUT', `/api/requests/${id}/cancel`, { token, body })
    expect(json.outcome).toMatchObject({ status: 'cancelled', by: 'nightly', channel: 'http', reason: 'r' })
  })

  it('is disconnected when its token was revoked while this server could not notice', async () => {
    let moved = 0
    const database = await fresh()
    // The clock of this server jumps, as after sleep or a lost database connection.
    const server = await startServer(database, { hub: { shift: () => moved } })
    const elsewhere = await startServer(database)
    const { token, secret } = await server.hub.tokens.create({ scope: 'answer' })
    const stream = await openStream(server, secret)
    await elsewhere.hub.tokens.revoke(token.id)
    moved = 3_600_000
    await stream.ended
    expect((await call(server, 'GET', '/api/requests', { token: secret })).status).toBe(401)
  })
})

describe('a waiter', () => {
  const settled = { id: 'req_x', status: 'answered' } as Request

  function longPollsWith(get: () => Promise<Request>, seconds: number) {
    const sent: unknown[] = []
    const feed = { ...createFeed({} as never), ready: async () => {} }
    const longPolls = createLongPolls({ get: async () => settled } as unknown as HubApi, feed, {
      send: (_, request) => sent.push(request),
      fail: (_, error) => sent.push((error as BeckonError).code),
    })
    const caller = { hub: { get }, ended: false, open: 0 } as unknown as SignedInCaller
    const response = new EventEmitter() as ServerResponse
    return { longPolls, sent, held: longPolls.hold('req_x', caller, response, { seconds, orMessage: false }) }
  }

  it('gets nothing before its access is checked', async () => {
    const rights = Promise.withResolvers<Request>()
    const late = longPollsWith(() => rights.promise, 0.001)
    const early = longPollsWith(() => rights.promise, 60)
    await new Promise(resolve => setTimeout(resolve, 20))
    early.longPolls.wake(settled)
    expect([late.sent, early.sent]).toEqual([[], []])
    rights.reject(new BeckonError('not_found', 'There is no request req_x.'))
    await Promise.all([late.held, early.held])
    expect([late.sent, early.sent]).toEqual([['not_found'], ['not_found']])
    expect([late.longPolls.count(), early.longPolls.count()]).toEqual([0, 0])
  })

  it('misses no answer that arrives while its access is checked', async () => {
    const rights = Promise.withResolvers<Request>()
    const { longPolls, sent, held } = longPollsWith(() => rights.promise, 60)
    await new Promise(setImmediate)
    longPolls.wake(settled)
    rights.resolve({ ...settled, status: 'pending' } as Request)
    await held
    expect(sent).toEqual([settled])
  })
})

describe('an ended stream', () => {
  /** A fake connection that records what is written and how it ends. */
  function connection({ stuck = false } = {}) {
    const written: string[] = []
    const socket = Object.assign(new EventEmitter(), {
      write: (bytes: Buffer) => written.push(String(bytes)) > 0 && !stuck,
    })
    const response = Object.assign(new EventEmitter(), {
      socket,
      writeHead: () => {},
      flushHeaders: () => {},
      end: () => written.push('the end'),
      destroy: () => written.push('cut off'),
    })
    return { written, socket, response: response as unknown as ServerResponse }
  }

  const event = { id: 1, type: 'request.created', at: '', request: 'req_x', run: null, data: {} } as Event
  const caller = () =>
    ({ grant: { scope: 'answer' }, hub: { isVisible: () => true }, ended: false, open: 0 }) as unknown as SignedInCaller
  const feed = { ...createFeed({} as never), ready: async () => {}, after: () => null }

  it('gets no events that were being read when it ended', async () => {
    const reading = Promise.withResolvers<Event[]>()
    const streams = createStreams({ events: () => reading.promise }, feed, 60_000)
    const [reader, { written, response }] = [caller(), connection()]
    const opened = streams.open(reader, response, 0)
    await new Promise(setImmediate)
    streams.end(reader)
    reading.resolve([event])
    await opened
    expect(written).toEqual([expect.stringContaining('retry: 1000'), 'the end'])
    streams.close()
  })

  it('is cut off if its reader is blocked, so that the reader cannot get the rest later', async () => {
    const streams = createStreams({ events: async () => [event] }, feed, 60_000)
    const [reader, { written, socket, response }] = [caller(), connection({ stuck: true })]
    await streams.open(reader, response, 0)
    streams.end(reader)
    socket.emit('drain')
    await new Promise(setImmediate)
    expect(written).toEqual([expect.stringContaining('retry: 1000'), 'cut off'])
    streams.close()
  })
})

interface SeenEvent {
  type: string
  request: string | null
  run: string | null
}

function dataOf(stream: { lines(): string[] }): SeenEvent[] {
  return stream.lines().flatMap(line => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
}
