import Database from 'better-sqlite3'
import type { Compilable } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { createHub } from '../../src/store/migrations/001-create-hub.ts'
import { latest } from '../../src/store/migrations/latest.ts'
import { openStore } from '../../src/store/open.ts'
import { postgresDialect } from '../../src/store/postgres/dialect.ts'
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts'
import type { Store } from '../../src/store/store.ts'
import { databases } from '../setup/databases.ts'
import { sampleCheckpoint, stored } from './samples.ts'

// The SQL of version 1: later statements may use columns that did not exist then.
const id = 'req_000000'
const dataOfVersion1 = [
  `insert into requests (id, kind, status, required, body, context, agent, agent_name, scope, content, asked_by, host,
      on_timeout, created_at)
    values ('${id}', 'question', 'pending', 1, '{"questions":[{"question":"배포할까요?"}]}', '문맥',
      '{"name":"shell","cwd":"/","path":[]}', 'shell', 'user:me:/', 'content', 'me', 'here', 'remind', 1)`,
  `insert into events (id, type, at, request, run, data) values (1, 'request.created', 1, '${id}', null, '{}')`,
  'update event_counter set last = 1',
  `insert into runs (id, name, status, command, cwd, host, started_by, sleeps, start, started_at)
    values ('run_000000', 'agent', 'running', '["agent"]', '/', 'here', 'me', 0, 1, 1)`,
  `insert into meta (name, value) values ('key_fingerprint', 'f')`,
]

const helpers = {
  SQLite: { make: makeSqlite, version: sqliteVersion },
  PostgreSQL: { make: makePostgres, version: postgresVersion },
}

describe.each(databases)('a database of version 1 on $name', ({ name, fresh }) => {
  const { make, version } = helpers[name as keyof typeof helpers]
  const open: Store[] = []

  afterEach(async () => {
    await Promise.all(open.splice(0).map(store => store.close()))
  })

  async function openOne(database: string): Promise<Store> {
    const store = await openStore({ database })
    open.push(store)
    return store
  }

  async function createVersion1(): Promise<string> {
    const database = await fresh()
    await make(database)
    expect(await version(database)).toBe(1)
    return database
  }

  it('is upgraded with all its data', async () => {
    const database = await createVersion1()
    const store = await openOne(database)
    expect(await store.read(view => view.request(id))).toMatchObject({
      status: 'pending',
      body: { questions: [{ question: '배포할까요?' }] },
      context: '문맥',
    })
    expect(await store.read(view => view.events(0, 10))).toMatchObject([{ id: 1, request: id }])
    expect(
      await store.read(view => view.runs({ which: 'active', host: null, local: false, token: null, limit: 10 })),
    ).toMatchObject([{ id: 'run_000000' }])
    // A version that version 1 does not know, so old code refuses the database.
    expect(await version(database)).toBe(latest)
  })

  it('accepts drafts of existing requests, and continues the event ids', async () => {
    const store = await openOne(await createVersion1())
    const draft = { request: id, answers: [], note: 'not yet', by: 'me', at: 2 }
    expect(await store.change(tx => tx.saveDraft(draft))).toBe(true)
    expect(await store.read(view => view.drafts(id, 'me'))).toEqual([draft])
    await stored(store)
    expect(await store.read(view => view.lastEvent())).toBe(2)
  })

  it('accepts checkpoints of an existing run', async () => {
    const store = await openOne(await createVersion1())
    const checkpoint = sampleCheckpoint('run_000000')
    await store.change(tx => tx.insertCheckpoint(checkpoint))
    expect(await store.read(view => view.checkpoints('run_000000', 10))).toEqual([checkpoint])
  })

  it('can be upgraded by many processes at once', async () => {
    const database = await createVersion1()
    const stores = await Promise.all(Array.from({ length: 6 }, () => openOne(database)))
    await Promise.all(stores.map(store => stored(store)))
    expect(await (stores[0] as Store).read(view => view.lastEvent())).toBe(7)
  })
})

function sqlOf(steps: Compilable[]): string[] {
  return [...steps.map(step => step.compile().sql), ...dataOfVersion1]
}

async function makeSqlite(file: string): Promise<void> {
  const database = new Database(file)
  for (const step of sqlOf(createHub(sqliteDialect().db, 'sqlite'))) database.exec(step)
  database.pragma(`application_id = ${0x62636b6e}`)
  database.pragma('user_version = 1')
  database.close()
}

async function sqliteVersion(file: string): Promise<unknown> {
  const database = new Database(file, { readonly: true })
  try {
    return database.pragma('user_version', { simple: true })
  } finally {
    database.close()
  }
}

function makePostgres(url: string): Promise<void> {
  return asAdministrator(url, async client => {
    await client.query('create schema beckon')
    await client.query('set search_path to beckon')
    for (const step of sqlOf(createHub(postgresDialect().db, 'postgres'))) await client.query(step)
    await client.query(`insert into meta (name, value) values ('schema_version', '1')`)
  })
}

function postgresVersion(url: string): Promise<unknown> {
  return asAdministrator(url, async client => {
    const { rows } = await client.query(`select value from beckon.meta where name = 'schema_version'`)
    return Number(rows[0]?.value)
  })
}

async function asAdministrator<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
