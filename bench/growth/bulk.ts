import Database from 'better-sqlite3'
import pg from 'pg'
import type { EventRow, RequestRow, RunRow } from '../../src/store/schema.ts'
import type { Kind } from '../databases.ts'

/** Rows in bulk, by the bare driver. */
export interface Bulk {
  request(id: string): Promise<RequestRow>
  eventsOf(request: string): Promise<EventRow[]>
  run(id: string): Promise<RunRow>
  lastEvent(): Promise<number>
  insert(rows: Rows): Promise<void>
  /** Gives the next event its number, and tells the planner what is there. */
  finish(lastEvent: number): Promise<void>
  /** Tells the planner what is there, as PostgreSQL does by itself after a while. */
  analyze(): Promise<void>
  /** Lets the deadlines of so many open requests pass. */
  makeOverdue(count: number): Promise<void>
  close(): Promise<void>
}

interface Rows {
  requests?: RequestRow[]
  events?: EventRow[]
  runs?: RunRow[]
}

export async function openBulk(kind: Kind, database: string): Promise<Bulk> {
  const { all, insert, close } = kind === 'SQLite' ? openSqlite(database) : await openPostgres(database)
  return {
    request: id => first<RequestRow>(`select * from requests where id = '${id}'`),
    eventsOf: request => all<EventRow>(`select * from events where request = '${request}' order by id`),
    run: id => first<RunRow>(`select * from runs where id = '${id}'`),
    lastEvent: async () => (await first<{ last: number }>('select last from event_counter')).last,
    insert,
    async finish(lastEvent) {
      // A commit that waits for the disk, or the rows before it would not count as visible to all.
      if (kind === 'PostgreSQL') await all('set synchronous_commit = on')
      await all(`update event_counter set last = ${lastEvent} returning last`)
      if (kind === 'PostgreSQL') await all('vacuum analyze')
      await close()
    },
    async analyze() {
      await all('vacuum analyze')
      await close()
    },
    async makeOverdue(count) {
      const past = Date.now() - 60_000
      await all(`update requests set timeout = 60000, deadline = ${past}, due = ${past}, on_timeout = 'fail'
        where id in (select id from requests where status = 'pending' order by id limit ${count}) returning id`)
      await close()
    },
    close,
  }

  async function first<T>(sql: string): Promise<T> {
    const [row] = await all<T>(sql)
    if (!row) throw new Error(`no row: ${sql}`)
    return row
  }
}

function openSqlite(file: string) {
  const db = new Database(file)
  db.pragma('synchronous = off')
  db.pragma('cache_size = -500000')
  return {
    all: async <T>(sql: string) => db.prepare(sql).all() as T[],
    insert: async (rows: Rows) => {
      db.transaction(() => {
        for (const [table, list] of Object.entries(rows)) insertAll(table, list)
      })()
    },
    close: async () => void db.close(),
  }

  function insertAll(table: string, rows: readonly object[] = []) {
    const columns = Object.keys(rows[0] ?? {})
    if (columns.length === 0) return
    const statement = db.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    for (const row of rows) statement.run(Object.values(row))
  }
}

async function openPostgres(url: string) {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: numbersForBigints } })
  await client.connect()
  await client.query('set search_path = beckon')
  await client.query('set synchronous_commit = off')
  return {
    all: async <T>(sql: string) => (await client.query(sql)).rows as T[],
    insert: async (rows: Rows) => {
      for (const [table, list] of Object.entries(rows)) {
        const values = `json_populate_recordset(null::${table}, $1::json)`
        await client.query(`insert into ${table} select * from ${values}`, [JSON.stringify(list)])
      }
    },
    close: () => client.end(),
  }
}

function numbersForBigints(type: number, format?: 'text' | 'binary') {
  return type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)
}
