import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { BeckonError } from '../../protocol/index.ts'
import type { Connection } from '../connection.ts'
import { createGroupCommit } from '../group-commit.ts'
import { latest } from '../migrations/index.ts'
import { ReadSession } from '../read-session.ts'
import type { Finding, Store, View, Watch } from '../store.ts'
import { WriteSession } from '../write-session.ts'
import { beginImmediate, SqliteConnection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { Doorbell } from './doorbell.ts'
import { sqliteFault } from './faults.ts'
import { prepareFile, prepareNewFile } from './file.ts'
import { migrateSqlite } from './migrate.ts'

export interface SqliteOptions {
  file: string
  /** Milliseconds to add to the machine's clock. */
  shift?: () => number
}

// The check under the doorbell, and in its place where files cannot be watched.
const slowCheck = 1_000
const checkWithoutBell = 100

export async function openSqlite({ file, shift = () => 0 }: SqliteOptions): Promise<Store> {
  prepareFile(file)
  const dialect = sqliteDialect()
  const writer = await SqliteConnection.open(file)
  const reader = await migrateSqlite(writer, dialect).then(
    // A connection of its own for reading: what a batch has written is not to be seen before its commit.
    () => SqliteConnection.open(file, { readonly: true }),
    error => {
      writer.close()
      throw error
    },
  )
  const clock = () => Date.now() + shift()
  // Between transactions the writer has the pages at hand; during one, it would show what is not committed.
  const idle: Connection = {
    rows: (sql, values) => free().rows(sql, values),
    byId: (look, id) => free().byId(look, id),
  }
  const view: View = new ReadSession(dialect, idle, async () => clock())
  const bell = new Doorbell(file)
  const watchers = new Map<() => void, () => void>()
  const commits = createGroupCommit({
    begin: () => beginImmediate(writer, dialect.statements, clock),
    session: (...args) => new WriteSession(dialect, ...args),
    committed: () => {
      bell.ring()
      wakeAll()
    },
  })

  return { kind: 'sqlite', change: commits.change, read, watch, backup, examine, close }

  async function read<T>(work: (view: View) => Promise<T>): Promise<T> {
    if (!writer.database.open) throw new BeckonError('closed', 'The hub was closed.')
    return work(view)
  }

  async function watch(onCommit: () => void): Promise<Watch> {
    const listening = bell.listen(check)
    let seen = dataVersion()
    const timer = setInterval(check, listening ? slowCheck : checkWithoutBell)
    watchers.set(check, stop)
    return { stop, hold }

    /** Our own ring comes back to us too, after we have looked: then there is nothing new. */
    function check() {
      const version = dataVersion()
      if (version !== null && version === seen) return
      seen = version
      onCommit()
    }

    function stop() {
      watchers.delete(check)
      clearInterval(timer)
      listening?.stop()
    }

    function hold(alive: boolean) {
      if (alive) timer.ref()
      else timer.unref()
      listening?.hold(alive)
    }
  }

  /** Changes with every commit of another connection. Null when it cannot be told, which must not stop anybody. */
  function dataVersion(): number | null {
    try {
      return reader.pragma('data_version')
    } catch {
      return null
    }
  }

  function free(): SqliteConnection {
    return writer.database.inTransaction ? reader : writer
  }

  function wakeAll() {
    for (const wake of [...watchers.keys()]) wake()
  }

  /** One moment of the whole store, however much is written meanwhile. */
  async function backup(target: string) {
    prepareNewFile(target)
    try {
      reader.rowsNow('vacuum into ?', [target])
    } catch (error) {
      rmSync(target, { force: true })
      throw sqliteFault(error, target)
    }
  }

  async function examine(): Promise<Finding[]> {
    const [integrity] = reader.rowsNow<{ integrity_check: string }>('pragma integrity_check', [])
    const sound = integrity?.integrity_check === 'ok'
    return [
      { what: 'database', finding: `SQLite file ${file}`, fine: true },
      { what: 'folder', finding: dirname(file), fine: true },
      { what: 'schema', finding: `version ${latest}`, fine: true },
      { what: 'integrity', finding: integrity?.integrity_check ?? 'unknown', fine: sound },
    ]
  }

  async function close() {
    await commits.close()
    for (const stop of [...watchers.values()]) stop()
    bell.close()
    reader.close()
    writer.close()
  }
}
