import { existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './file.ts'

// A restore has the new database ready as NAME.restored-TIME, renames the old one to NAME.set-aside-TIME, then its log,
// and gives the new one its name last. A new one without a database in its place tells a restore that was cut off half-way,
// and whoever opens the database next finishes it.

const parts = ['', '-wal', '-shm', '-journal'] as const

/** Renames what is left of a database, the file itself first; null where there is nothing. */
function setAside(file: string, time = timestamp()): string | null {
  const found = parts.filter(part => existsSync(`${file}${part}`))
  const aside = renameParts(file, found, time)
  return found.includes('') ? aside : null
}

/**
 * Renames what a database that is gone has left behind: SQLite would apply the log to the database that takes its place.
 * Returns the new name of the log; null where there is none, or nothing in it.
 */
export function setAsideLog(file: string, isOurs = (path: string) => existsSync(path)): string | null {
  const found = parts.filter(part => part !== '' && isOurs(`${file}${part}`))
  const isFilled = found.includes('-wal') && statSync(`${file}-wal`).size > 0
  const aside = renameParts(file, found, timestamp())
  return isFilled ? `${aside}-wal` : null
}

function renameParts(file: string, found: readonly string[], time: string): string {
  const aside = `${file}.set-aside-${time}`
  for (const part of found) renameSync(`${file}${part}`, `${aside}${part}`)
  if (found.length > 0) syncFolder(dirname(file))
  return aside
}

/** Sets the old database aside and puts the new one in its place. Returns where the old one is now. */
export function replaceDatabase(file: string, draft: string): string | null {
  const time = timestamp()
  const restored = `${file}.restored-${time}`
  renameSync(draft, restored)
  syncFolder(dirname(file))
  const aside = setAside(file, time)
  renameSync(restored, file)
  syncFolder(dirname(file))
  return aside
}

/**
 * Finishes a restore that was cut off, where there is no database: it was renamed, or was lost before. False where there is
 * nothing to finish.
 */
export function finishRestore(file: string): boolean {
  const prefix = `${basename(file)}.restored-`
  const time = readdirSync(dirname(file))
    .filter(name => name.startsWith(prefix))
    .map(name => name.slice(prefix.length))
    .sort()
    .at(-1)
  if (time === undefined) return false
  setAside(file, time)
  renameSync(join(dirname(file), `${prefix}${time}`), file)
  syncFolder(dirname(file))
  return true
}

/** As in 20260131T235959123Z: it sorts, and fits in the name of a file. */
function timestamp(): string {
  return new Date().toISOString().replaceAll(/[-:.]/g, '')
}
