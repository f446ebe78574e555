import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { collectGarbage, type Slice } from '../../src/store/collect-garbage.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { databases } from '../setup/databases.ts'
import { prune, sampleCheckpoint, sampleOutcome, sampleRun, stored } from './samples.ts'

const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

async function open(database: string): Promise<Store> {
  const store = await openStore({ database })
  opened.push(store)
  return store
}

/** Requests that were answered long ago, each with one event as old. */
async function fill(database: string, count: number): Promise<void> {
  const columns =
    'id, kind, status, required, body, agent, agent_name, scope, content, asked_by, host, on_timeout, created_at, settled_at'
  const values = `'question', 'answered', 1, '{"questions":[]}', '{"name":"agent","cwd":"/","path":[]}', 'agent',
    'user:me:/', 'c' || i, 'me', 'here', 'remind', 1, 2`
  const event = `'request.answered', 2`
  if (/^postgres/.test(database)) {
    const client = new pg.Client(database)
    await client.connect()
    const numbers = `generate_series(1, ${count}) as i`
    await client.query('set search_path to beckon')
    await client.query(
      `insert into requests (${columns}) select 'req_' || lpad(i::text, 8, '0'), ${values} from ${numbers}`,
    )
    await client.query(
      `insert into events (id, type, at, request, data) select i, ${event}, 'req_' || lpad(i::text, 8, '0'), '{}' from ${numbers}`,
    )
    await client.query('update event_counter set last = $1', [count])
    return client.end()
  }
  const db = new Database(database)
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  db.exec(`${numbers} insert into requests (${columns}) select printf('req_%08d', i), ${values} from n;
    ${numbers} insert into events (id, type, at, request, data) select i, ${event}, printf('req_%08d', i), '{}' from n;
    update event_counter set last = ${count}`)
  db.close()
}

function rowsOf({ requests, events, runs, checkpoints, others }: Slice): number {
  return requests.length + events + runs.length + checkpoints.length + others
}

describe.each(databases)('collecting garbage on $name', ({ fresh }) => {
  it('deletes at most a thousand rows at a time, and others write between two slices', async () => {
    const database = await fresh()
    const [store, other] = [await open(database), await open(database)]
    await fill(database, 20_000)
    const sizes: number[] = []
    let asks = 0
    let slicesWithAsks = 0
    const asking = { over: false }
    const asker = (async () => {
      while (!asking.over) {
        await stored(other)
        asks += 1
      }
    })()
    let asksBefore = 0
    await collectGarbage(store, {
      before: 100,
      onSlice: slice => {
        sizes.push(rowsOf(slice))
        if (asks > asksBefore) slicesWithAsks += 1
        asksBefore = asks
      },
    })
    asking.over = true
    await asker
    expect(sizes.reduce((sum, size) => sum + size)).toBe(40_000)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000)
    // Nearly everywhere, but another process may take this machine's processors for a moment.
    expect(slicesWithAsks).toBeGreaterThan(sizes.length / 4)
    expect(await store.read(view => view.events(0, 1))).toMatchObject([{ id: 20_001, type: 'request.created' }])
    expect(await store.read(view => view.deletedEvents())).toBe(20_000)
  })

  it('keeps every event of what is open or may come back, however old', async () => {
    const store = await open(await fresh())
    const [running, resumable, over] = [
      sampleRun(),
      sampleRun({ status: 'failed', endedAt: 10, resumeCommand: ['resume'] }),
      sampleRun({ status: 'completed', endedAt: 10 }),
    ]
    for (const run of [running, resumable, over]) {
      await store.change(async tx => {
        await tx.insertRun(run)
        tx.append({ type: 'run.started', request: null, run: run.id, data: {} })
      })
    }
    const settled = { status: 'answered', settledAt: 10 } as const
    const pending = await stored(store)
    const ofRunning = await stored(store, { ...settled, deliveredAt: 10, run: running.id })
    const undelivered = await stored(store, { ...settled, run: resumable.id })
    await stored(store, { ...settled, run: over.id })
    await stored(store, settled)
    const later = Date.now() + 1_000_000
    expect(await prune(store, later)).toMatchObject({ events: 3, runs: [over.id] })
    const left = await store.read(view => view.events(0, 100))
    const about = [running, resumable, pending, ofRunning, undelivered]
    expect(left.map(({ request, run }) => request ?? run)).toEqual(about.map(({ id }) => id))
    expect(await store.read(view => view.deletedEvents())).toBe(8)
    expect(await prune(store, later)).toMatchObject({ requests: [], events: 0, runs: [] })
  })

  it('deletes the files of a request after the request, a few at a time, and those that were left behind', async () => {
    const store = await open(await fresh())
    const files = Array.from({ length: 25 }, (_, i) => `att_${i}`)
    const [old, pending] = [await stored(store, { status: 'answered', settledAt: 10 }), await stored(store)]
    await store.change(async tx => {
      for (const id of files) await tx.insertAttachment({ id, request: old.id, bytes: Buffer.alloc(10_000, 1) })
      await tx.insertAttachment({ id: 'att_open', request: pending.id, bytes: Buffer.from('stays') })
    })
    const left = () =>
      store.read(async view => (await Promise.all(files.map(id => view.attachment(old.id, id)))).filter(Boolean))
    const stop = new AbortController()
    // Stopped as soon as the request is deleted: its files are found the next time.
    await collectGarbage(store, { before: 100, signal: stop.signal, onSlice: () => stop.abort() })
    expect(await store.read(view => view.request(old.id))).toBeNull()
    expect(await left()).toHaveLength(25)
    const slices: number[] = []
    await collectGarbage(store, { before: 100, onSlice: ({ others }) => void slices.push(others) })
    expect(slices.filter(others => others > 0)).toEqual([10, 10, 5])
    expect(await left()).toEqual([])
    expect(String(await store.read(view => view.attachment(pending.id, 'att_open')))).toBe('stays')
  })

  it('can be stopped after any slice, and several at once finish it together', async () => {
    const database = await fresh()
    const [store, other] = [await open(database), await open(database)]
    await fill(database, 2_000)
    const run = sampleRun({ status: 'completed', endedAt: 10 })
    const checkpoint = sampleCheckpoint(run.id)
    await store.change(async tx => {
      await tx.insertRun(run)
      await tx.insertCheckpoint(checkpoint)
    })
    const stop = new AbortController()
    const first: Slice[] = []
    await collectGarbage(store, {
      before: 100,
      signal: stop.signal,
      onSlice: slice => {
        first.push(slice)
        if (first.length === 3) stop.abort()
      },
    })
    expect(first).toHaveLength(3)
    const [one, two] = await Promise.all([prune(store, 100), prune(other, 100)])
    const requests = [...first.flatMap(slice => slice.requests), ...one.requests, ...two.requests]
    expect(new Set(requests).size).toBe(2_000)
    expect(requests).toHaveLength(2_000)
    expect(one.events + two.events).toBe(2_000)
    expect([...one.runs, ...two.runs]).toEqual([run.id])
    expect([...one.checkpoints, ...two.checkpoints]).toEqual([checkpoint])
    expect(await store.read(view => view.deletedEvents())).toBe(2_000)
  })

  it('gives space back while others read and write', async () => {
    const database = await fresh()
    const store = await open(database)
    await fill(database, 10_000)
    await prune(store, 100)
    const writing = stored(store)
    const { freed } = await store.reclaim()
    await writing
    if (store.kind === 'postgres') expect(freed).toBeGreaterThanOrEqual(0)
    else expect(freed).toBeGreaterThan(1_000_000)
    const { id } = await stored(store)
    await store.change(tx => tx.settle(id, sampleOutcome('yes'), 5))
    expect(await store.read(view => view.request(id))).toMatchObject({ status: 'answered' })
  })
})

describe('a SQLite file', () => {
  const fresh = (databases[0] as (typeof databases)[0]).fresh

  it('shrinks to what is left, and its log is emptied', async () => {
    const file = await fresh()
    const store = await open(file)
    await fill(file, 10_000)
    await prune(store, 100)
    expect(await store.reclaim()).toMatchObject({ reusable: 0 })
    expect(statSync(file).size).toBeLessThan(1_000_000)
    expect(statSync(`${file}-wal`).size).toBe(0)
  })

  it('of an earlier version is rewritten while it is small, and a larger one only on demand', async () => {
    for (const large of [false, true]) {
      const file = await fresh()
      const db = new Database(file)
      db.pragma('journal_mode = WAL')
      db.close()
      const store = await open(file)
      const raw = new Database(file)
      expect(raw.pragma('auto_vacuum', { simple: true })).toBe(0)
      raw.exec('create table ballast (bytes blob)')
      if (large) raw.exec('insert into ballast values (zeroblob(20000000))')
      await fill(file, large ? 40_000 : 5_000)
      raw.exec('delete from requests; delete from events; pragma wal_checkpoint(truncate)')
      const before = statSync(file).size
      const { freed, reusable } = await store.reclaim()
      expect([large, freed > 1_000_000, (reusable ?? 0) > 1_000_000]).toEqual([large, !large, large])
      if (large) expect(await store.reclaim({ rewrite: true })).toMatchObject({ reusable: 0 })
      expect(statSync(file).size).toBeLessThan(before)
      raw.close()
      // From now on it can shrink like a new one.
      const after = new Database(file)
      expect(after.pragma('auto_vacuum', { simple: true })).toBe(2)
      after.close()
    }
  })
})
