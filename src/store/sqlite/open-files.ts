import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { BeckonError } from '../../protocol/index.ts'
import type { Dialect } from '../dialect.ts'
import { SqliteConnection } from './connection.ts'
import { withLock } from './create.ts'
import { realPathOf } from './file.ts'
import { migrateSqlite } from './migrate.ts'
import { setAsideLog } from './set-aside.ts'

/**
 * The files that SQLite has open, to compare with what is at their paths. SQLite would go on writing to a file that was
 * deleted, moved or replaced, and whatever it commits there is gone. We keep no descriptor of our own: closing it would
 * drop the locks that SQLite holds on the same file.
 */
interface OpenedFiles {
  /** Throws if one of them was deleted, moved or replaced. */
  check(): void
  /** Sets our log aside where it lies beside another database, or none. Returns its new name where it holds something. */
  setAsideLog(): Promise<string | null>
}

interface Opened {
  writer: SqliteConnection
  reader: SqliteConnection
  opened: OpenedFiles
}

const tries = 3

/** Opens the database for writing and reading. Again, if another file took its place in that moment. */
export async function openFiles(file: string, dialect: Dialect): Promise<Opened> {
  for (let left = tries; ; left -= 1) {
    const before = identityOf(file)
    const connections = await openBoth(file, dialect)
    if (identityOf(file) === before) return { ...connections, opened: rememberFiles(file) }
    connections.reader.close()
    connections.writer.close()
    if (left === 1) throw replaced(file)
  }
}

async function openBoth(file: string, dialect: Dialect) {
  const writer = await SqliteConnection.open(file)
  try {
    await migrateSqlite(writer, dialect)
    // Readers have their own connection, so that they do not see what a batch has not committed yet.
    return { writer, reader: await SqliteConnection.open(file, { readonly: true }) }
  } catch (error) {
    writer.close()
    throw error
  }
}

/** As long as SQLite has the files open, their inodes are not given to others. */
function rememberFiles(file: string): OpenedFiles {
  const real = realpathSync.native(file)
  const identities = filesOf(real).map(identityOf)
  const inodes = new Map(filesOf(real).map(path => [path, inodeOf(path)]))
  return { check, setAsideLog: setAsideOurs }

  function check() {
    try {
      compare()
    } catch (error) {
      // A process that gave its rights away after it opened the file cannot tell.
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    }
  }

  /** Where the path leads elsewhere by now, others find the log there: ours would be another one. */
  function compare() {
    if (identityOf(file) !== identities[0]) throw replaced(file)
    const found = currentPath()
    for (const [i, path] of filesOf(found).entries())
      if (i > 0 && identityOf(path) !== identities[i]) throw replaced(found === real ? path : file)
  }

  /** Runs after every commit, and this is several times as fast as `realPathOf`. */
  function currentPath(): string {
    try {
      return realpathSync.native(file)
    } catch {
      return realPathOf(file)
    }
  }

  async function setAsideOurs() {
    if (!isNeeded()) return null
    return withLock(real, async () => (isNeeded() ? setAsideLog(real, isOurs) : null))
  }

  function isNeeded() {
    return !isOurs(real) && isOurs(`${real}-wal`)
  }

  function isOurs(path: string) {
    const inode = inodeOf(path)
    return inode !== null && inode === inodes.get(path)
  }
}

/** The database, its log and its shared memory. SQLite looks for these beside the file itself, not beside a link to it. */
function filesOf(real: string): string[] {
  return [real, `${real}-wal`, `${real}-shm`]
}

/** Null where there is nothing. A database that was emptied is not the same one any more. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found?.size === 0n && !path.endsWith('-wal') ? 'empty' : inode(found)
}

function inodeOf(path: string): string | null {
  return inode(statSync(path, { bigint: true, throwIfNoEntry: false }))
}

function inode(found: BigIntStats | undefined): string | null {
  return found ? `${found.dev}:${found.ino}` : null
}

function replaced(path: string): BeckonError {
  return new BeckonError(
    'replaced',
    `${path} was deleted, moved or replaced while this process had it open, so nothing can be stored any more. Start again to use what is there now; a backup is put in place with: beckon restore-database FILE`,
  )
}
