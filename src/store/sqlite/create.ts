import { renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { BeckonError } from '../../protocol/index.ts'
import type { Dialect } from '../dialect.ts'
import { retryWhileBusy, SqliteConnection } from './connection.ts'
import { noteCreatedDatabase } from './created.ts'
import { translateSqliteError } from './errors.ts'
import { createPrivateFile, realPathOf, syncFolder } from './file.ts'
import { migrateSqlite } from './migrate.ts'
import { finishRestore, setAsideLog } from './set-aside.ts'

/**
 * Creates the database if there is none. It gets its name when it is complete, so that an empty file at that name is
 * damage and never a database that somebody is just creating; a crash in between leaves only a draft, which the next
 * process deletes.
 */
export async function createIfMissing(
  path: string,
  dialect: Dialect,
  onLogSetAside: (log: string) => void,
): Promise<void> {
  try {
    const file = realPathOf(path)
    if (isThere(file)) return
    await withLock(file, async () => {
      if (isThere(file) || finishRestore(file)) return
      const draft = await writeDraft(file, dialect)
      const log = setAsideLog(file)
      if (log !== null) onLogSetAside(log)
      renameSync(draft, file)
      syncFolder(dirname(file))
      noteCreatedDatabase()
    })
  } catch (error) {
    throw translateSqliteError(error, path)
  }
}

/** Only one process at a time creates or restores the database. SQLite's own lock ends with the process that holds it. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const path = `${file}-lock`
  createPrivateFile(path)
  const lock = new Database(path, { timeout: 0, fileMustExist: true })
  try {
    await retryWhileBusy(file, () => lock.exec('begin exclusive'))
    return await work()
  } finally {
    lock.close()
  }
}

export function draftOf(file: string): string {
  return `${file}-new`
}

/** The path of an empty draft for a database. */
export function newDraft(file: string): string {
  const draft = draftOf(file)
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true })
  createPrivateFile(draft)
  return draft
}

function isThere(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.size !== 0 || !found.isFile()) return found !== undefined
  throw new BeckonError(
    'damaged',
    `${file} is empty (0 bytes), so it is damaged. Nothing was changed; put a backup in its place (beckon restore-database FILE), or delete the file to start anew.`,
  )
}

async function writeDraft(file: string, dialect: Dialect): Promise<string> {
  const draft = newDraft(file)
  const connection = await SqliteConnection.open(draft)
  try {
    await migrateSqlite(connection, dialect)
  } finally {
    connection.close()
  }
  return draft
}
