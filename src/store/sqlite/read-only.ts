import { accessSync, constants, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BeckonError } from '../../protocol/index.ts'
import type { Connection } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { ReadSession } from '../read-session.ts'
import type { Finding, Store, View, Watch } from '../store.ts'
import { copyToSqlite } from './backup.ts'
import { SqliteConnection } from './connection.ts'
import { readOnly } from './errors.ts'
import { prepareNewFile, realPathOf } from './file.ts'
import { migrateSqlite } from './migrate.ts'

export interface ReadOnlyOptions {
  file: string
  dialect: Dialect
  clock: () => number
  /** Why SQLite cannot open the file. */
  reason: BeckonError
  /** Opens it for writing, if that is possible by now. */
  reopen: () => Promise<Store>
}

const checkEvery = 1_000

/**
 * The store on a full or read-only disk. SQLite needs to write beside a database even to read it, so this reads a copy in
 * memory, made anew whenever the file has changed. The first change opens the database for writing, if there is room by
 * then, and fails with the reason otherwise. Null where the file is not complete without its log.
 */
export async function openReadOnly({ file, dialect, clock, reason, reopen }: ReadOnlyOptions): Promise<Store | null> {
  if (!isComplete(file)) return null
  let version = versionOf(file)
  let copy = await copyIntoMemory(file, dialect)
  let reopened: Promise<Store> | null = null
  let store: Store | null = null
  const connection: Connection = {
    rows: (sql, values) => copy.rows(sql, values),
    byId: (...of) => copy.byId(...of),
    batched: (...of) => copy.batched(...of),
  }
  const view: View = new ReadSession(dialect, connection, async () => clock())
  const watches = new Set<Watch>()
  return {
    kind: 'sqlite',
    change,
    read,
    watch,
    backup,
    reclaim,
    probe,
    examine,
    lost: new AbortController().signal,
    stopReconnecting: () => {},
    close,
  }

  async function change<T>(...args: Parameters<Store['change']>): Promise<T> {
    return (await openForWriting()).change(...args) as Promise<T>
  }

  async function reclaim(...args: Parameters<Store['reclaim']>) {
    return (await openForWriting()).reclaim(...args)
  }

  async function probe() {
    await (await openForWriting()).probe()
  }

  async function openForWriting(): Promise<Store> {
    reopened ??= reopen()
    try {
      store = await reopened
      return store
    } catch (error) {
      reopened = null
      throw whyUnwritable(error, file) ?? error
    }
  }

  async function read<T>(work: (view: View) => Promise<T>): Promise<T> {
    const current = await storeForReading()
    return current ? current.read(work) : work(view)
  }

  /** The store that writes, if there is one by now; else null, and the copy is of the file as it is. */
  async function storeForReading(): Promise<Store | null> {
    if (!store && versionOf(file) !== version) await readAgain()
    return store
  }

  /** Somebody can write, so perhaps we can, too. */
  async function readAgain() {
    if (!existsSync(file)) throw reason
    await openForWriting().catch(async () => {
      if (!isComplete(file)) throw reason
      version = versionOf(file)
      const next = await copyIntoMemory(file, dialect)
      copy.close()
      copy = next
    })
  }

  async function watch(onCommit: () => void): Promise<Watch> {
    const timer = setInterval(onCommit, checkEvery)
    const watching: Watch = {
      stop: () => {
        clearInterval(timer)
        watches.delete(watching)
      },
      keepProcessAlive: alive => (alive ? timer.ref() : timer.unref()),
    }
    watches.add(watching)
    return watching
  }

  async function backup(target: string) {
    const current = await storeForReading()
    if (current) return current.backup(target)
    prepareNewFile(target)
    await copyToSqlite(copy, target).catch(error => {
      rmSync(target, { force: true })
      throw error
    })
  }

  async function examine(): Promise<Finding[]> {
    return [{ what: 'database', finding: `SQLite file ${file}`, fine: true }]
  }

  async function close() {
    for (const watching of watches) watching.stop()
    copy.close()
    await store?.close()
  }
}

/** Why the database cannot be written, where that is why SQLite could not open it; null otherwise. */
export function whyUnwritable(error: unknown, file: string): BeckonError | null {
  if (!(error instanceof BeckonError) || !existsSync(file)) return null
  if (error.code === 'disk_full' || error.code === 'read_only') return error
  if (error.code !== 'unreachable') return null
  try {
    for (const path of [dirname(file), file]) accessSync(path, constants.W_OK)
    return null
  } catch {
    return readOnly(file, error)
  }
}

async function copyIntoMemory(file: string, dialect: Dialect): Promise<SqliteConnection> {
  const copy = SqliteConnection.inMemory(readFileSync(file), file)
  try {
    await migrateSqlite(copy, dialect)
    return copy
  } catch (error) {
    copy.close()
    throw error
  }
}

/** What is in a log would be missing in a copy of the file alone. */
function isComplete(file: string): boolean {
  return (statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** Changes with the file and with its log. */
function versionOf(file: string): string {
  return [file, logOf(file)]
    .map(path => statSync(path, { bigint: true, throwIfNoEntry: false }))
    .map(found => (found ? `${found.ino}:${found.size}:${found.mtimeNs}` : ''))
    .join(' ')
}

/** Beside the file itself, not beside a link to it. */
function logOf(file: string): string {
  return `${realPathOf(file)}-wal`
}
