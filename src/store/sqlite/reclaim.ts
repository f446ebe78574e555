import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../../protocol/index.ts'
import type { Reclaimed, ReclaimOptions } from '../store.ts'
import { retryWhileBusy, SqliteConnection } from './connection.ts'

const incremental = 2
// How many pages one transaction gives back.
const pagesAtOnce = 500
const shortestPause = 25
// A file this small is rewritten in a moment.
const smallFile = 16 * 1024 * 1024
// A rewrite needs a copy beside the file, and once more the same in the log.
const roomForRewrite = 3

/**
 * Shrinks the file to what is in it. A file of this version gives its free pages back a few at a time. One of an earlier
 * version has to be rewritten once for that, and nobody can write meanwhile: a small one is, a larger one on demand.
 */
export async function reclaimSqlite(
  file: string,
  { signal, rewrite = false }: ReclaimOptions = {},
): Promise<Reclaimed> {
  const before = sizeOf(file)
  // Its own connection, because that of the hub may be in the middle of a transaction.
  const connection = await SqliteConnection.open(file)
  try {
    if (connection.pragma('auto_vacuum') === incremental) await givePagesBack(connection, signal)
    else if (rewrite || (isWorthIt(connection) && hasRoom(connection))) await rewriteFile(connection)
    await truncateLog(connection)
    return {
      freed: Math.max(0, before - sizeOf(file)),
      reusable: connection.pragma('freelist_count') * connection.pragma('page_size'),
    }
  } finally {
    connection.close()
  }
}

async function givePagesBack(connection: SqliteConnection, signal: AbortSignal | undefined): Promise<void> {
  for (let free = connection.pragma('freelist_count'); free > 0 && !signal?.aborted; ) {
    const started = performance.now()
    // `exec`, because it goes through every step of the pragma, and each gives back one page.
    await retryWhileBusy(connection.file, () => connection.database.exec(`pragma incremental_vacuum(${pagesAtOnce})`))
    await sleep(Math.max(shortestPause, performance.now() - started))
    const left = connection.pragma('freelist_count')
    if (left >= free) return
    free = left
  }
}

function isWorthIt(connection: SqliteConnection): boolean {
  const [pages, free] = [connection.pragma('page_count'), connection.pragma('freelist_count')]
  return free * 4 >= pages && (pages - free) * connection.pragma('page_size') <= smallFile
}

function hasRoom(connection: SqliteConnection): boolean {
  const used = (connection.pragma('page_count') - connection.pragma('freelist_count')) * connection.pragma('page_size')
  const { bavail, bsize } = statfsSync(dirname(connection.file))
  return bavail * bsize > used * roomForRewrite
}

async function rewriteFile(connection: SqliteConnection): Promise<void> {
  if (!hasRoom(connection)) {
    throw new BeckonError(
      'disk_full',
      `There is not enough room beside ${connection.file} to rewrite it. What was deleted stays deleted; make room and try again.`,
    )
  }
  connection.database.pragma('auto_vacuum = incremental')
  await retryWhileBusy(connection.file, () => connection.database.exec('vacuum'))
}

/** Copies the log into the file and empties it. While somebody reads from the log, it stays as it is, and is reused. */
async function truncateLog(connection: SqliteConnection): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    const [result] = connection.rowsNow<{ busy: number }>('pragma wal_checkpoint(truncate)', [])
    if (result?.busy === 0) return
    await sleep(shortestPause * 2 ** tries)
  }
}

function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0)
}
