import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { identify, isSame, type ProcessId } from './processes/identity.ts'

/** A file that says which process holds something. It is not in the way when that process is gone. */
export function createLock(file: string) {
  const mine = `${file}.${process.pid}`
  return { take, release, isMine, isHeld: () => isHeld(file) }

  function take(): boolean {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(mine, JSON.stringify(identify(process.pid)), { mode: 0o600 })
    try {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        // A link is made whole or not at all: nobody meets a file without its owner in it.
        if (link(mine, file)) return true
        if (isHeld(file)) return isMine()
        takeAway()
      }
      return false
    } finally {
      rmSync(mine, { force: true })
    }
  }

  /** By another name first: whoever took it in the meantime keeps it. */
  function takeAway() {
    const away = `${mine}.old`
    try {
      renameSync(file, away)
      if (isHeld(away)) link(away, file)
    } catch {
      // Somebody else was quicker.
    } finally {
      rmSync(away, { force: true })
    }
  }

  function release() {
    if (isMine()) rmSync(file, { force: true })
  }

  function isMine(): boolean {
    return ownerOf(file)?.pid === process.pid
  }
}

export function isHeld(file: string): boolean {
  const owner = ownerOf(file)
  return owner !== null && isSame(owner)
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

function ownerOf(file: string): ProcessId | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
