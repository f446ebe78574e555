import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { createLock, isHeld } from '../../system/lock-file.ts'

/** Locked by this process, and not opened yet. */
const reserved = new Map<string, () => void>()

/** One process at a time per conversation: two would interleave their writes. A dead process's lock is taken over. */
export function lockFolder(folder: string): () => void {
  const release = reserved.get(folder) ?? takeLock(folder)
  reserved.delete(folder)
  return release
}

/** Locks it before anything is changed, for the one who opens it next. Returns what gives it back if nobody did. */
export function reserveFolder(folder: string): () => void {
  const release = takeLock(folder)
  reserved.set(folder, release)
  return () => {
    if (reserved.delete(folder)) release()
  }
}

function takeLock(folder: string): () => void {
  const file = join(folder, 'lock')
  const lock = createLock(file)
  if (isHeld(file) || !lock.take()) throw inUse()
  return lock.release
}

function inUse(): BeckonError {
  return new BeckonError(
    'in_use',
    'This conversation is open in another process. Close it there, or wait until it is done.',
  )
}
