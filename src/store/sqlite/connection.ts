import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { ById, Closing, Connection, OpenTransaction, Settling } from '../connection.ts'
import { refuseNewer } from '../migrations/index.ts'
import type { EventRecord, NewEvent } from '../records.ts'
import type { RequestRow } from '../schema.ts'
import type { Statements } from '../statements/index.ts'
import { isBusy, sqliteFault } from './faults.ts'

// A lock is waited for this long inside SQLite, which blocks the event loop; beyond it we wait outside and try again.
const busyTimeout = 5
const patience = 30
// At most, and only where there is that much to hold.
const cacheKilobytes = 16_384
// 16 MiB of log before it is moved into the file: pages that change with every request are then moved once for many.
const checkpointPages = 4_096

/** A better-sqlite3 database that keeps its statements prepared. */
export class SqliteConnection implements Connection {
  readonly database: Database.Database
  readonly file: string
  readonly #prepared = new Map<string, Database.Statement<unknown[]>>()

  private constructor(database: Database.Database, file: string) {
    this.database = database
    this.file = file
  }

  static async open(file: string, { readonly = false } = {}): Promise<SqliteConnection> {
    return retryWhileBusy(file, () => {
      const database = new Database(file, { timeout: busyTimeout, fileMustExist: true, readonly })
      try {
        // FULL: a commit is on the disk before anybody hears of it, also across a power cut.
        if (!readonly) database.pragma('journal_mode = WAL')
        database.pragma('synchronous = FULL')
        database.pragma(`wal_autocheckpoint = ${checkpointPages}`)
        database.pragma(`cache_size = -${cacheKilobytes}`)
        return new SqliteConnection(database, file)
      } catch (error) {
        database.close()
        throw error
      }
    })
  }

  async rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return this.rowsNow<Row>(sql, values)
    } catch (error) {
      throw sqliteFault(error, this.file)
    }
  }

  async byId<Row extends { id: string }>({ one }: ById<Row>, id: string): Promise<Row | undefined> {
    const [row] = await this.rows<Row>(one.sql, one.bind({ id }))
    return row
  }

  rowsNow<Row>(sql: string, values: readonly unknown[]): Row[] {
    const statement = this.#statement(sql)
    if (statement.reader) return statement.all(values) as Row[]
    statement.run(values)
    return []
  }

  pragma(name: string): number {
    const [row] = this.rowsNow<Record<string, number>>(`pragma ${name}`, [])
    return row?.[name] ?? 0
  }

  close(): void {
    this.#prepared.clear()
    this.database.close()
  }

  #statement(sql: string) {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.database.prepare<unknown[]>(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}

/** One write transaction at a time: IMMEDIATE takes the write lock first, so that nothing read in it can be stale. */
export async function beginImmediate(
  connection: SqliteConnection,
  statements: Statements,
  clock: () => number,
): Promise<OpenTransaction> {
  await retryWhileBusy(connection.file, () => connection.rowsNow('begin immediate', []))
  let open = true
  try {
    refuseNewer(connection.pragma('user_version'))
  } catch (error) {
    await rollback()
    throw error
  }
  const now = clock()
  return {
    now: async () => now,
    // Whoever writes is alone already.
    lock: async () => {},
    rows: (sql, values) => connection.rows(sql, values),
    byId: (look, id) => connection.byId(look, id),
    commit,
    rollback,
    // A commit that failed here has failed.
    happened: async () => false,
  }

  async function commit({ events, settling, sent }: Closing) {
    try {
      await Promise.all(sent)
      for (const [id, decision] of settling) if (settle(id, decision)) events.push(decision.event)
      const stored = events.length > 0 ? number(events) : []
      connection.rowsNow('commit', [])
      open = false
      return stored
    } catch (error) {
      throw sqliteFault(error, connection.file)
    }
  }

  function settle(id: string, decision: Settling): boolean {
    const { sql, bind } = statements.settle
    const [row = null] = connection.rowsNow<RequestRow>(sql, bind({ id, ...decision }))
    decision.row = row
    return row !== null
  }

  function number(events: readonly NewEvent[]): EventRecord[] {
    const { takeNumbers, insertEvent } = statements
    const [counter] = connection.rowsNow<{ last: number }>(takeNumbers.sql, takeNumbers.bind({ count: events.length }))
    const last = counter?.last ?? 0
    const stored = events.map((event, i) => ({ ...event, id: last - events.length + 1 + i, at: now }))
    for (const event of stored) {
      connection.rowsNow(insertEvent.sql, insertEvent.bind({ ...event, data: JSON.stringify(event.data) }))
    }
    return stored
  }

  async function rollback() {
    if (!open) return
    open = false
    // A full disk may have rolled back already.
    if (connection.database.inTransaction) connection.rowsNow('rollback', [])
  }
}

export async function retryWhileBusy<T>(file: string, attempt: () => T): Promise<T> {
  // Monotonic, and without loading anything for it.
  const giveUpAt = process.uptime() + patience
  for (let tries = 0; ; tries += 1) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || process.uptime() > giveUpAt) throw sqliteFault(error, file)
      await sleep(Math.random() * Math.min(2 ** tries, 50))
    }
  }
}
