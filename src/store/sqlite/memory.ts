import { rmSync } from 'node:fs'
import { BeckonError } from '../../protocol/index.ts'
import type { Connection, OpenTransaction } from '../connection.ts'
import { createGroupCommit } from '../group-commit.ts'
import { probeLock } from '../locks.ts'
import { latest } from '../migrations/latest.ts'
import { ReadSession } from '../read-session.ts'
import type { EventRecord } from '../records.ts'
import type { Finding, Store, View, Watch } from '../store.ts'
import { WriteSession } from '../write-session.ts'
import { copyToSqlite } from './backup.ts'
import { SqliteConnection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { prepareNewFile } from './file.ts'
import { migrateSqlite } from './migrate.ts'
import { beginTransaction } from './transaction.ts'

// A timer, because nothing else of a store in memory keeps the process alive.
const keepAlive = 2 ** 31 - 1

/** A database of this process alone, which is gone when it is closed: the same statements and transactions as in a file. */
export async function openMemory({ clock = Date.now }: { clock?: () => number } = {}): Promise<Store> {
  const dialect = sqliteDialect()
  const database = SqliteConnection.openInMemory()
  await migrateSqlite(database, dialect)
  const watchers = new Map<(events: readonly EventRecord[]) => void, () => void>()
  // There is one connection, so that readers wait for the end of a transaction instead of seeing half of it.
  let ended = Promise.withResolvers<void>()
  const connection: Connection = {
    rows: async (sql, values) => (await idle()).rows(sql, values),
    byId: async (...of) => (await idle()).byId(...of),
    batched: async (...of) => (await idle()).batched(...of),
  }
  const view: View = new ReadSession(dialect, connection, async () => clock())
  const commits = createGroupCommit({
    begin,
    session: (...args) => new WriteSession(dialect, ...args),
    onCommit: events => {
      for (const wake of [...watchers.keys()]) wake(events)
    },
  })
  return {
    kind: 'sqlite',
    change: commits.change,
    read,
    watch,
    backup,
    reclaim: async () => ({ freed: 0, reusable: 0 }),
    probe,
    examine,
    lost: new AbortController().signal,
    stopReconnecting: () => {},
    close,
  }

  async function read<T>(work: (view: View) => Promise<T>): Promise<T> {
    refuseIfClosed()
    return work(view)
  }

  function refuseIfClosed() {
    if (!database.database.open) throw new BeckonError('closed', 'The hub was closed.')
  }

  async function idle(): Promise<SqliteConnection> {
    while (database.database.inTransaction) await ended.promise
    refuseIfClosed()
    return database
  }

  async function begin(): Promise<OpenTransaction> {
    const transaction = await beginTransaction(database, dialect.statements, clock, () => {})
    return {
      ...transaction,
      commit: work => transaction.commit(work).finally(wakeReaders),
      rollback: () => transaction.rollback().finally(wakeReaders),
    }
  }

  function wakeReaders() {
    if (database.database.open && database.database.inTransaction) return
    ended.resolve()
    ended = Promise.withResolvers()
  }

  async function watch(onCommit: (events?: readonly EventRecord[]) => void): Promise<Watch> {
    const timer = setInterval(() => {}, keepAlive)
    const stop = () => {
      watchers.delete(onCommit)
      clearInterval(timer)
    }
    watchers.set(onCommit, stop)
    return { stop, keepProcessAlive: alive => (alive ? timer.ref() : timer.unref()) }
  }

  async function backup(target: string) {
    prepareNewFile(target)
    await idle()
      .then(source => copyToSqlite(source, target))
      .catch(error => {
        rmSync(target, { force: true })
        throw error
      })
  }

  async function probe() {
    await commits.change(async tx => tx.setProbedAt(await tx.now()), probeLock)
  }

  async function examine(): Promise<Finding[]> {
    return [
      { what: 'database', finding: 'SQLite in memory; it is gone when this process ends', fine: true },
      { what: 'schema', finding: `version ${latest}`, fine: true },
    ]
  }

  async function close() {
    await commits.close()
    for (const stop of [...watchers.values()]) stop()
    database.close()
  }
}
