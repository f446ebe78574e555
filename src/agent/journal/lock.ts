import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { createLock, isHeld } from '../../system/lock-file.ts'

/** One process at a time per conversation: two would interleave their writes. A dead process's lock is taken over. */
export function lockFolder(folder: string): () => void {
  refuseLocked(folder)
  const lock = createLock(lockIn(folder))
  if (!lock.take()) throw inUse()
  return lock.release
}

/** Checked before anything is changed. */
export function refuseLocked(folder: string): void {
  if (isHeld(lockIn(folder))) throw inUse()
}

function lockIn(folder: string): string {
  return join(folder, 'lock')
}

function inUse(): BeckonError {
  return new BeckonError(
    'in_use',
    'This conversation is open in another process. Close it there, or wait until it is done.',
  )
}
