import { rmSync } from 'node:fs'
import { BeckonError } from '../../protocol/index.ts'
import type { Connection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { createGroupCommit } from '../group-commit.ts'
import { probeLock } from '../locks.ts'
import { latest } from '../migrations/latest.ts'
import { ReadSession } from '../read-session.ts'
import type { EventRecord } from '../records.ts'
import type { Finding, Store, View, Watch } from '../store.ts'
import { WriteSession } from '../write-session.ts'
import { copyToSqlite } from './backup.ts'
import { CommitSignal } from './commit-signal.ts'
import { SqliteConnection } from './connection.ts'
import { createIfMissing } from './create.ts'
import { sqliteDialect } from './dialect.ts'
import { prepareFolder, prepareNewFile } from './file.ts'
import { openFiles } from './open-files.ts'
import { openReadOnly, whyUnwritable } from './read-only.ts'
import { reclaimSqlite } from './reclaim.ts'
import { beginTransaction } from './transaction.ts'

export interface SqliteOptions {
  file: string
  /** Milliseconds to add to the machine's clock. */
  shift?: () => number
  onLogSetAside?: (log: string) => void
}

// In case a signal is lost, and instead of signals where files cannot be watched.
const slowCheck = 1_000
const checkWithoutSignal = 100

/** Opens the database, and creates it where there is none. On a full or read-only disk it can only be read. */
export async function openSqlite({ file, shift = () => 0, onLogSetAside = () => {} }: SqliteOptions): Promise<Store> {
  const dialect = sqliteDialect()
  const clock = () => Date.now() + shift()
  const open = () => openWritable(file, dialect, clock, onLogSetAside)
  try {
    return await open()
  } catch (error) {
    const reason = whyUnwritable(error, file)
    const store = reason && (await openReadOnly({ file, dialect, clock, reason, reopen: open }))
    if (store) return store
    throw reason ?? error
  }
}

async function openWritable(
  file: string,
  dialect: Dialect,
  clock: () => number,
  onLogSetAside: (log: string) => void,
): Promise<Store> {
  prepareFolder(file)
  await createIfMissing(file, dialect, onLogSetAside)
  const { writer, reader, opened } = await openFiles(file, dialect)
  const lost = new AbortController()
  let settingAside: Promise<void> | null = null
  const checking = setInterval(isLost, slowCheck).unref()
  // Between transactions the writer has the pages in its cache; during one, it would show uncommitted rows.
  const connection: Connection = {
    rows: (sql, values) => idleConnection().rows(sql, values),
    byId: (...of) => idleConnection().byId(...of),
    batched: (...of) => idleConnection().batched(...of),
  }
  const view: View = new ReadSession(dialect, connection, async () => clock())
  const signal = new CommitSignal(file)
  const watchers = new Map<(events: readonly EventRecord[]) => void, () => void>()
  const commits = createGroupCommit({
    begin: async () => {
      lost.signal.throwIfAborted()
      return beginTransaction(writer, dialect.statements, clock, refuseIfLost)
    },
    session: (...args) => new WriteSession(dialect, ...args),
    onCommit: events => {
      signal.send()
      wakeAll(events)
    },
  })

  return {
    kind: 'sqlite',
    change: commits.change,
    read,
    watch,
    backup,
    reclaim: options => reclaimSqlite(file, options),
    probe,
    examine,
    lost: lost.signal,
    stopReconnecting: () => {},
    close,
  }

  async function read<T>(work: (view: View) => Promise<T>): Promise<T> {
    if (!writer.database.open) throw new BeckonError('closed', 'The hub was closed.')
    lost.signal.throwIfAborted()
    return work(view)
  }

  function refuseIfLost() {
    if (isLost()) throw lost.signal.reason
  }

  function isLost(): boolean {
    try {
      if (!lost.signal.aborted) opened.check()
    } catch (error) {
      settingAside = setLogAside()
      lost.abort(error)
    }
    return lost.signal.aborted
  }

  /** Where it cannot be renamed, there may not even be a folder any more. */
  async function setLogAside() {
    const log = await opened.setAsideLog().catch(() => null)
    if (log !== null) onLogSetAside(log)
  }

  /** Our own commits are passed on as they are; those of other processes show in the version. */
  async function watch(onCommit: (events?: readonly EventRecord[]) => void): Promise<Watch> {
    const listening = signal.listen(check)
    let seen = dataVersion()
    const timer = setInterval(check, listening ? slowCheck : checkWithoutSignal)
    watchers.set(onCommit, stop)
    return { stop, keepProcessAlive }

    /** Our own signal comes back to us, too: then there is nothing new. */
    function check() {
      const version = dataVersion()
      if (version !== null && version === seen) return
      seen = version
      onCommit()
    }

    function stop() {
      watchers.delete(onCommit)
      clearInterval(timer)
      listening?.stop()
    }

    function keepProcessAlive(alive: boolean) {
      if (alive) timer.ref()
      else timer.unref()
      listening?.keepProcessAlive(alive)
    }
  }

  /** Changes with every commit but the writer's own. Null when it cannot be read; watchers then check every time. */
  function dataVersion(): number | null {
    try {
      return writer.pragma('data_version')
    } catch {
      return null
    }
  }

  function idleConnection(): SqliteConnection {
    return writer.database.inTransaction ? reader : writer
  }

  function wakeAll(events: readonly EventRecord[]) {
    for (const wake of [...watchers.keys()]) wake(events)
  }

  async function backup(target: string) {
    prepareNewFile(target)
    await copyToSqlite(reader, target).catch(error => {
      rmSync(target, { force: true })
      throw error
    })
  }

  /** Reads through a new connection, from the file that is there now: our own have its pages in their caches. */
  async function probe() {
    const written = await commits.change(async tx => {
      const at = await tx.now()
      await tx.setProbedAt(at)
      return at
    }, probeLock)
    const fresh = await SqliteConnection.open(file, { readonly: true })
    try {
      const found = await new ReadSession(dialect, fresh, async () => clock()).probedAt()
      // Another process may have written a newer one.
      if (found === null || found < written) throw overwritten(file)
    } finally {
      fresh.close()
    }
  }

  async function examine(): Promise<Finding[]> {
    const [integrity] = await reader.rows<{ integrity_check: string }>('pragma integrity_check', [])
    const found = integrity?.integrity_check ?? 'unknown'
    const sound = found === 'ok'
    const advice = sound ? '' : '; put a backup in its place: beckon restore-database FILE'
    return [
      { what: 'database', finding: `SQLite file ${file}`, fine: true },
      { what: 'schema', finding: `version ${latest}`, fine: true },
      { what: 'integrity', finding: `${found}${advice}`, fine: sound },
    ]
  }

  async function close() {
    await commits.close()
    clearInterval(checking)
    await settingAside
    for (const stop of [...watchers.values()]) stop()
    signal.close()
    reader.close()
    writer.close()
  }
}

/** Its inode is the same, and its content is another. */
function overwritten(file: string): BeckonError {
  return new BeckonError('damaged', `What was written to ${file} is not there: the file was overwritten.`)
}
