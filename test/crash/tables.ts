import Database from 'better-sqlite3'
import pg from 'pg'
import type { EventType, Outcome, Status } from '../../src/protocol/index.ts'

export interface StoredRequest {
  id: string
  status: Status
  kind: string
  scope: string
  key: string | null
  content: string
  /** What was asked, as JSON. */
  body: string
  run: string | null
  deadline: number | null
  due: number | null
  settledAt: number | null
  deliveredAt: number | null
  usedAt: number | null
  outcome: Outcome | null
}

export interface StoredEvent {
  id: number
  type: EventType
  request: string | null
  run: string | null
  data: Record<string, unknown>
}

/** A snapshot of the whole database, read without the hub. */
export interface Tables {
  requests: StoredRequest[]
  events: StoredEvent[]
  lastEvent: number
  sealed: string[]
  integrity: string
}

type Row = Record<string, unknown>
type Query = (sql: string) => Promise<Row[]>

export async function readTables(database: string): Promise<Tables> {
  return database.startsWith('postgres:') ? readPostgres(database) : readSqlite(database)
}

async function readSqlite(file: string): Promise<Tables> {
  const db = new Database(file, { readonly: true })
  const query: Query = async sql => db.prepare<[], Row>(sql).all()
  try {
    db.exec('begin')
    const [integrity] = await query('pragma integrity_check')
    return { ...(await read(query)), integrity: String(integrity?.integrity_check) }
  } finally {
    db.close()
  }
}

async function readPostgres(url: string): Promise<Tables> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set search_path to beckon')
    await client.query('begin isolation level repeatable read read only')
    return { ...(await read(async sql => (await client.query<Row>(sql)).rows)), integrity: 'ok' }
  } finally {
    await client.end()
  }
}

async function read(query: Query): Promise<Omit<Tables, 'integrity'>> {
  const requests = await query('select * from requests order by id')
  const events = await query('select * from events order by id')
  const [counter] = await query('select last from event_counter')
  const sealed = await query('select request from sealed')
  return {
    requests: requests.map(toRequest),
    events: events.map(toEvent),
    lastEvent: Number(counter?.last),
    sealed: sealed.map(row => String(row.request)),
  }
}

function toRequest(row: Row): StoredRequest {
  return {
    ...(row as unknown as StoredRequest),
    deadline: time(row.deadline),
    due: time(row.due),
    settledAt: time(row.settled_at),
    deliveredAt: time(row.delivered_at),
    usedAt: time(row.used_at),
    outcome: row.outcome === null ? null : JSON.parse(String(row.outcome)),
  }
}

function toEvent(row: Row): StoredEvent {
  return { ...(row as unknown as StoredEvent), id: Number(row.id), data: JSON.parse(String(row.data)) }
}

function time(value: unknown): number | null {
  return value === null ? null : Number(value)
}
