import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Connection, Lookup } from '../connection.ts'
import type { Batch } from '../prepare.ts'
import { isBusy, translateSqliteError } from './errors.ts'

// Milliseconds to wait for a lock inside SQLite, which blocks the event loop; after that we sleep and try again.
const busyTimeout = 5
const giveUpAfterSeconds = 30
// An upper limit: SQLite takes as much as it needs.
const cacheKilobytes = 16_384
// 16 MiB of log before it is copied into the file: pages that change with every request are then copied once for many.
const checkpointPages = 4_096

/** A connection to an SQLite file that keeps its statements prepared. */
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
        // FULL: a commit is on the disk before its caller goes on, also across a power cut.
        if (!readonly) prepareNewDatabase(database)
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

  /** A new database that is not a file. */
  static openInMemory(): SqliteConnection {
    return new SqliteConnection(new Database(':memory:'), 'The database in memory')
  }

  /** A copy of a database, from the bytes of its file. */
  static inMemory(bytes: Buffer, file: string): SqliteConnection {
    // The two versions in the header say that the file has a log beside it; a copy in memory has none.
    bytes.fill(1, 18, 20)
    try {
      return new SqliteConnection(new Database(bytes), file)
    } catch (error) {
      throw translateSqliteError(error, file)
    }
  }

  async rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return this.rowsNow<Row>(sql, values)
    } catch (error) {
      throw translateSqliteError(error, this.file)
    }
  }

  async byId<Row extends { id: string }>({ one }: Lookup<Row>, id: string): Promise<Row | undefined> {
    const [row] = await this.rows<Row>(one.sql, one.bind({ id, now: 0 }))
    return row
  }

  batched<Values, Row>({ one }: Batch<Values, Row>, values: Values): Promise<Row[]> {
    return this.rows<Row>(one.sql, one.bind(values))
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

/** Only an empty file can choose this: its free pages can later be given back a few at a time. */
function prepareNewDatabase(database: Database.Database): void {
  if (database.pragma('page_count', { simple: true }) === 0) database.pragma('auto_vacuum = incremental')
}

export async function retryWhileBusy<T>(file: string, attempt: () => T): Promise<T> {
  // A monotonic clock that needs no import.
  const giveUpAt = process.uptime() + giveUpAfterSeconds
  for (let tries = 0; ; tries += 1) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || process.uptime() > giveUpAt) throw translateSqliteError(error, file)
      await sleep(Math.random() * Math.min(2 ** tries, 50))
    }
  }
}
