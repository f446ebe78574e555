import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type BeckonError, invalid } from '../../protocol/index.ts'
import { SqliteConnection } from './connection.ts'
import { draftOf, newDraft, withLock } from './create.ts'
import { sqliteDialect } from './dialect.ts'
import { translateSqliteError } from './errors.ts'
import { prepareFolder, realPathOf, syncFile } from './file.ts'
import { isBeckonDatabase, migrateSqlite } from './migrate.ts'
import { finishRestore, replaceDatabase } from './set-aside.ts'

export interface Restored {
  file: string
  /** Where the database is that was there before; null where there was none. */
  setAside: string | null
  requests: number
  runs: number
}

// More events than the old database can have had since the backup.
const stepPastUnknown = 1_000_000

/**
 * Puts a copy of a backup in the place of the database. Everything is checked on the copy, before the old database is
 * touched, and `refuseIfInUse` gets the last word. The old one is only renamed.
 */
export async function restoreDatabase(
  path: string,
  backup: string,
  refuseIfInUse: (files: string[]) => void,
): Promise<Restored> {
  const file = realPathOf(path)
  try {
    refuseUnusable(backup, file)
    prepareFolder(file)
    return await withLock(file, async () => {
      // First what an earlier restore has left: should this one fail, there must be a database again.
      if (!existsSync(file)) finishRestore(file)
      deleteLeftovers(file, realPathOf(backup))
      const draft = newDraft(file)
      try {
        const counts = await copyAndCheck(backup, draft)
        refuseIfInUse([file, `${file}-wal`, `${file}-shm`])
        await refuseOldCursors(draft, await lastEventOf(file))
        return { file, setAside: replaceDatabase(file, draft), ...counts }
      } finally {
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true })
      }
    })
  } catch (error) {
    throw translateSqliteError(error, path)
  }
}

function refuseUnusable(backup: string, file: string): void {
  const found = statSync(backup, { throwIfNoEntry: false })
  if (!found?.isFile()) throw unusable(backup, found ? 'is not a file' : 'does not exist')
  if (found.size === 0) throw unusable(backup, 'is empty')
  if (realPathOf(backup) === file) throw unusable(backup, 'is the database itself; name a backup of it')
  if (realPathOf(backup) === draftOf(file)) throw unusable(backup, 'has a name that this command uses; rename it')
}

/** A restore that was cut off before it renamed the old database: everything is as it was. A person may have named one as the backup. */
function deleteLeftovers(file: string, backup: string): void {
  const prefix = `${basename(file)}.restored-`
  for (const name of readdirSync(dirname(file))) {
    const path = join(dirname(file), name)
    if (name.startsWith(prefix) && path !== backup) rmSync(path)
  }
}

/** With its log, which a backup has that was opened and not closed. Opening it also brings its schema up to date. */
async function copyAndCheck(backup: string, draft: string): Promise<{ requests: number; runs: number }> {
  copyPrivately(backup, draft)
  if (existsSync(`${backup}-wal`)) copyPrivately(`${backup}-wal`, `${draft}-wal`)
  let connection: SqliteConnection | null = null
  try {
    connection = await SqliteConnection.open(draft)
    if (!isBeckonDatabase(connection)) throw unusable(backup, 'is not a Beckon database')
    const [integrity] = connection.rowsNow<{ integrity_check: string }>('pragma integrity_check', [])
    if (integrity?.integrity_check !== 'ok') throw unusable(backup, 'is damaged')
    await migrateSqlite(connection, sqliteDialect())
    return { requests: count(connection, 'requests'), runs: count(connection, 'runs') }
  } catch (error) {
    const translated = translateSqliteError(error, draft)
    throw translated.code === 'damaged' ? unusable(backup, 'is damaged, or not a Beckon database') : translated
  } finally {
    // Moves the log into the file.
    connection?.close()
    syncFile(draft)
  }
}

/**
 * Goes on behind the numbers that the old database gave to its events: a reader that comes back with one of them must be
 * told that it missed something, and not be given other events under numbers that it has seen.
 */
async function refuseOldCursors(draft: string, last: number | null): Promise<void> {
  const connection = await SqliteConnection.open(draft)
  try {
    const [counter] = connection.rowsNow<{ last: number }>('select last from event_counter', [])
    const own = counter?.last ?? 0
    const next = last === null ? own + stepPastUnknown : Math.max(own, last) + 1
    connection.rowsNow('update event_counter set last = ?', [next])
    connection.rowsNow(`update meta set value = ? where name = 'deleted_events'`, [String(next)])
  } finally {
    connection.close()
    syncFile(draft)
  }
}

/** Null where it cannot be read. An empty file is not opened: SQLite would delete the log beside it. */
async function lastEventOf(file: string): Promise<number | null> {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return null
  let connection: SqliteConnection | null = null
  try {
    connection = await SqliteConnection.open(file, { readonly: true })
    const [counter] = connection.rowsNow<{ last: number }>('select last from event_counter', [])
    return counter?.last ?? null
  } catch {
    return null
  } finally {
    connection?.close()
  }
}

/** The folder is private, and a copy takes the mode of its source along. */
function copyPrivately(from: string, to: string): void {
  copyFileSync(from, to)
  chmodSync(to, 0o600)
}

function count(connection: SqliteConnection, table: 'requests' | 'runs'): number {
  const [row] = connection.rowsNow<{ count: number }>(`select count(*) as count from ${table}`, [])
  return row?.count ?? 0
}

function unusable(backup: string, why: string): BeckonError {
  return invalid([{ path: 'file', message: `${backup} ${why}. Nothing was changed` }])
}
