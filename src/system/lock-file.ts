import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isMachineFault, readOrNull } from './machine-fault.ts'
import { identify, isSameProcess, type ProcessId } from './processes/identity.ts'

export interface LockOptions {
  /** Whether its owner still counts; by default, as long as that very process is alive. */
  isHolding?: (owner: ProcessId) => boolean
}

/** A file that names the process holding a lock. The lock is free again when that process is gone. */
export function createLock(file: string, { isHolding = isSameProcess }: LockOptions = {}) {
  const mine = `${file}.${process.pid}`
  return { take, release, isMine }

  /** Whether it is ours now; taking it twice is fine. */
  function take(): boolean {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(mine, JSON.stringify(ourselves()), { mode: 0o600 })
    try {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        // A link appears whole or not at all, so no process can find the file without its owner in it.
        if (link(mine, file)) return true
        if (isMine()) return true
        if (isHeld(file, isHolding)) return false
        removeStale()
      }
      return false
    } finally {
      rmSync(mine, { force: true })
    }
  }

  /** Renamed first and then checked: a process that took the lock in the meantime gets it back. */
  function removeStale() {
    const stale = `${mine}.old`
    try {
      renameSync(file, stale)
      if (isHeld(stale, isHolding)) link(stale, file)
    } catch {
      // Another process removed it first.
    } finally {
      rmSync(stale, { force: true })
    }
  }

  /** A lock that cannot be read now is left behind: it is free once this process is gone. */
  function release() {
    try {
      if (isMine()) rmSync(file, { force: true })
    } catch (error) {
      if (!isMachineFault(error)) throw error
    }
  }

  function isMine(): boolean {
    const owner = readOwner(file)
    return owner !== null && isDeepStrictEqual(owner, ourselves())
  }
}

export function isHeld(file: string, isHolding: (owner: ProcessId) => boolean = isSameProcess): boolean {
  const owner = readOwner(file)
  return owner !== null && isHolding(owner)
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readOwner(file: string): ProcessId | null {
  return readOrNull(() => JSON.parse(readFileSync(file, 'utf8')))
}

let self: ProcessId | null = null

function ourselves(): ProcessId | null {
  self ??= identify(process.pid)
  return self
}
