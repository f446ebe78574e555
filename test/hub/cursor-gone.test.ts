import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Event, HubApi } from '../../src/protocol/index.ts'
import { openStore } from '../../src/store/open.ts'
import { until } from '../cli/sandbox.ts'
import { openStream } from '../server/event-stream.ts'
import { call, startServer } from '../server/test-server.ts'
import { databases } from '../setup/databases.ts'
import { prune } from '../store/samples.ts'

const gone = (oldest: number) => ({ code: 'cursor_gone', details: { oldest } })

/** A hub with the events 1 (of a request that is open), and after it some of requests that were answered. */
async function serveWithEvents(database: string, options: Parameters<typeof startServer>[1] = {}) {
  const server = await startServer(database, options)
  const open = await server.hub.raise({ questions: [{ question: 'Open?' }] })
  const answered = async (context: string) => {
    const { id } = await server.hub.raise({ questions: [{ question: 'Old?' }], context })
    await server.hub.answer(id, { value: 'x' })
  }
  await answered('one')
  await answered('two')
  return { server, open, answered, deleteOld }

  async function deleteOld() {
    const store = await openStore({ database })
    await prune(store, Date.now() + 60_000)
    await store.close()
  }
}

async function take(events: AsyncIterable<Event>, count: number): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of events) if (ids.push(id) === count) break
  return ids
}

describe.each(databases)('a cursor from before what is kept, on $name', ({ fresh }) => {
  it('is refused in process and over HTTP, with the oldest cursor that works; 0 reads all that is left', async () => {
    const { server, deleteOld, answered } = await serveWithEvents(await fresh())
    await deleteOld()
    await answered('three')
    const hubs: HubApi[] = [server.hub, await server.client('answer')]
    for (const hub of hubs) {
      await expect(hub.events({ since: 1 })).rejects.toMatchObject(gone(5))
      await expect(take(hub.follow({ since: 4 }), 1)).rejects.toMatchObject(gone(5))
      expect((await hub.events({ since: 5 })).map(({ id }) => id)).toEqual([6, 7])
      expect((await hub.events()).map(({ id }) => id)).toEqual([1, 6, 7])
      expect((await hub.events({ since: 0, limit: 1 })).map(({ id }) => id)).toEqual([1])
      expect((await hub.events({ since: 1, allowGaps: true })).map(({ id }) => id)).toEqual([6, 7])
      expect(await take(hub.follow({ since: 0 }), 3)).toEqual([1, 6, 7])
      expect(await take(hub.follow({ since: 5 }), 2)).toEqual([6, 7])
      const gaps: number[] = []
      expect(await take(hub.follow({ since: 2, onGap: cursor => gaps.push(cursor) }), 2)).toEqual([6, 7])
      expect(gaps).toEqual([5])
    }
  })

  it('is refused with 410 by streams and pages, and a page tells where to go on', async () => {
    const { server, deleteOld } = await serveWithEvents(await fresh())
    await deleteOld()
    const token = await server.token('answer')
    const read = (path: string, headers = {}) => call(server, 'GET', path, { token, headers })
    const stream = { accept: 'text/event-stream' }
    for (const [path, headers] of [
      ['/api/events?since=2', {}],
      ['/api/events?after=2', {}],
      ['/api/events?since=2', stream],
      ['/api/events', { ...stream, 'last-event-id': '4' }],
    ] as const) {
      expect(await read(path, headers)).toMatchObject({ status: 410, json: { error: gone(5) } })
    }
    const { json: body } = await read('/api/events?since=0')
    expect(body).toMatchObject({ events: [{ id: 1 }], last: 5 })
    expect(await read(`/api/events?since=${body.last}`)).toMatchObject({ status: 200, json: { events: [], last: 5 } })
    expect(await read('/api/events?since=2&allowGaps=true')).toMatchObject({ status: 200, json: { events: [] } })
    const opened = await openStream(server, token, { headers: { 'last-event-id': '5' } })
    expect(opened.status).toBe(200)
  })

  it('is refused as well where it is behind the last event, as after a restore', async () => {
    const { server, answered } = await serveWithEvents(await fresh())
    for (const hub of [server.hub, await server.client('answer')] satisfies HubApi[]) {
      await expect(hub.events({ since: 9 })).rejects.toMatchObject(gone(5))
      await expect(take(hub.follow({ since: 9 }), 1)).rejects.toMatchObject(gone(5))
    }
    const stream = { accept: 'text/event-stream', 'last-event-id': '9' }
    const refused = await call(server, 'GET', '/api/events', { token: await server.token('answer'), headers: stream })
    expect(refused).toMatchObject({ status: 410, json: { error: gone(5) } })
    const gaps: number[] = []
    const following = take(server.hub.follow({ since: 9, onGap: cursor => gaps.push(cursor) }), 2)
    await until(() => gaps.length > 0, 'the gap')
    await answered('three')
    expect([gaps, await following]).toEqual([[5], [6, 7]])
  })

  it('is not what a quiet reader comes back with: it is told how far it has read', async () => {
    const { server, answered, deleteOld } = await serveWithEvents(await fresh(), { heartbeat: 20 })
    const reader = await openStream(server, await server.token('ask'), { path: '/api/events?since=2' })
    await answered('of somebody else')
    await reader.until(() => reader.ids().at(-1) === 7)
    expect(reader.lines().filter(line => line.startsWith('data:'))).toEqual([])
    await deleteOld()
    const again = { headers: { 'last-event-id': '7' } }
    expect((await openStream(server, await server.token('ask'), again)).status).toBe(200)
  })
})

describe.each(databases)('whoever waits while events are deleted, on $name', ({ fresh }) => {
  it.each([
    ['before its event was read', false],
    ['together with its event', true],
  ])('learns that the request was settled and deleted %s, in process and over HTTP', async (_, alsoEvent) => {
    const database = await fresh()
    const { server } = await serveWithEvents(database)
    const client = await server.client('answer')
    const { id } = await server.hub.raise({ questions: [{ question: 'Soon gone?' }] })
    const waiting = [server.hub.wait(id), client.wait(id)].map(wait => wait.catch(error => error.code))
    const held = call(server, 'GET', `/api/requests/${id}?wait=60`, { token: await server.token('answer') })
    const metrics = { token: await server.token('admin') }
    const isHeld = async () => (await call(server, 'GET', '/metrics', metrics)).text.includes('beckon_waits_held 2')
    await until(isHeld, 'both calls are held')
    // What two commits do that nobody sees between: the request is answered, and then deleted.
    const event = `insert into events (id, type, at, request, data) values (7, 'request.answered', 1, '${id}', '{}')`
    const deleted = `update meta set value = '7' where name = 'deleted_events'`
    await execute(database, [
      'update event_counter set last = 7',
      alsoEvent ? deleted : event,
      `delete from requests where id = '${id}'`,
    ])
    // Any commit wakes those who follow.
    await server.hub.raise({ questions: [{ question: 'Next?' }] })
    expect(await Promise.all(waiting)).toEqual(['not_found', 'not_found'])
    expect(await held).toMatchObject({ status: 404 })
  })
})

async function execute(database: string, statements: string[]): Promise<void> {
  const sql = ['begin', ...statements, 'commit'].join(';')
  if (/^postgres/.test(database)) {
    const client = new pg.Client(database)
    await client.connect()
    await client.query(`set search_path to beckon;${sql}`)
    return client.end()
  }
  const db = new Database(database)
  db.exec(sql)
  db.close()
}
