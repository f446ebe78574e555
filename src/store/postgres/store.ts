import { rmSync } from 'node:fs'
import type pg from 'pg'
import { ConnectionLost } from '../connection.ts'
import { createGroupCommit } from '../group-commit.ts'
import { probeLock } from '../locks.ts'
import { latest } from '../migrations/latest.ts'
import { ReadSession } from '../read-session.ts'
import type { EventRecord } from '../records.ts'
import { prepareNewFile } from '../sqlite/file.ts'
import type { Finding, Store, View, Watch } from '../store.ts'
import { WriteSession } from '../write-session.ts'
import { copyToSqlite } from './backup.ts'
import { channel, commitStatements } from './commit-statements.ts'
import { PostgresConnection } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { type Limits, usualLimits } from './liveness.ts'
import { migratePostgres } from './migrate.ts'
import { reclaimPostgres } from './reclaim.ts'
import { beginTransaction } from './transaction.ts'

export interface PostgresOptions {
  url: string
  /** Milliseconds to add to the server's clock. */
  shift?: () => number
  limits?: Limits
}

// In case a notification is lost, because a connection died silently.
const slowCheck = 5_000
const maxTries = 3

export async function openPostgres({ url, shift = () => 0, limits = usualLimits }: PostgresOptions): Promise<Store> {
  const dialect = postgresDialect()
  const statements = commitStatements(dialect.db)
  const writer = new PostgresConnection(url, client => migratePostgres(client, dialect), limits)
  const reader = new PostgresConnection(url, onReaderConnect, limits)
  const view: View = new ReadSession(dialect, reader, clock)
  const watchers = new Set<(events?: readonly EventRecord[]) => void>()
  let slowTimer: NodeJS.Timeout | null = null
  let listening: Promise<void> | null = null
  const commits = createGroupCommit({
    begin: locks => beginTransaction(writer, statements, locks, shift),
    session: (...args) => new WriteSession(dialect, ...args),
    onCommit: wakeAll,
  })
  await writer.client()

  // A connection that breaks is made again.
  const lost = new AbortController().signal
  return {
    kind: 'postgres',
    change: commits.change,
    read,
    watch,
    backup,
    reclaim: options => reclaimPostgres(url, options),
    probe,
    examine,
    lost,
    stopReconnecting,
    close,
  }

  /** Reading changes nothing, so it is retried when the connection breaks. */
  async function read<T>(work: (view: View) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work(view)
      } catch (error) {
        if (!(error instanceof ConnectionLost) || tries === maxTries) throw error
      }
    }
  }

  async function onReaderConnect(client: pg.Client) {
    await migratePostgres(client, dialect)
    // Our own commits have woken our watchers already.
    client.on('notification', ({ processId }) => processId === writer.processId || wakeAll())
    client.on('end', reconnectForWatchers)
    if (watchers.size === 0) return
    await client.query(`listen ${channel}`)
    // For what was committed while nobody listened.
    setImmediate(() => wakeAll())
  }

  async function watch(onCommit: (events?: readonly EventRecord[]) => void): Promise<Watch> {
    watchers.add(onCommit)
    try {
      listening ??= listen()
      await listening
    } catch (error) {
      stop()
      throw error
    }
    return { stop, keepProcessAlive: () => {} }

    function stop() {
      watchers.delete(onCommit)
      if (watchers.size === 0) stopListening()
    }
  }

  async function listen() {
    // As often as a read, where the connection breaks just then: to listen twice is to listen.
    await read(() => reader.rows(`listen ${channel}`, []))
    slowTimer = setInterval(() => wakeAll(), slowCheck)
  }

  function stopListening() {
    if (slowTimer) clearInterval(slowTimer)
    slowTimer = null
    listening = null
  }

  /** Watchers do not send queries, so nothing else would open the connection again. */
  function reconnectForWatchers() {
    if (watchers.size > 0) reader.client().catch(() => {})
  }

  function wakeAll(events?: readonly EventRecord[]) {
    for (const wake of [...watchers]) wake(events)
  }

  async function clock() {
    const [row] = await reader.rows<{ now: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
      [],
    )
    return (row?.now ?? 0) + shift()
  }

  async function backup(target: string) {
    prepareNewFile(target)
    await copyToSqlite(url, dialect, target).catch(error => {
      rmSync(target, { force: true })
      throw error
    })
  }

  async function probe() {
    await commits.change(async tx => tx.setProbedAt(await tx.now()), probeLock)
    await read(current => current.probedAt())
  }

  async function examine(): Promise<Finding[]> {
    const [row] = await reader.rows<{ version: string; durable: boolean }>(
      `select current_setting('server_version') as version,
        current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as durable`,
      [],
    )
    return [
      { what: 'database', finding: `PostgreSQL ${row?.version}`, fine: true },
      { what: 'schema', finding: `version ${latest}`, fine: true },
      {
        what: 'durability',
        finding: row?.durable ? 'commits reach the disk' : 'fsync or synchronous_commit is off: a crash loses answers',
        fine: row?.durable ?? false,
      },
    ]
  }

  function stopReconnecting() {
    writer.stopReconnecting()
    reader.stopReconnecting()
  }

  async function close() {
    await commits.close()
    watchers.clear()
    stopListening()
    await Promise.all([writer.close(), reader.close()])
  }
}
