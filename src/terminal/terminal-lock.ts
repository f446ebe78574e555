import { fstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLock } from '../system/lock-file.ts'
import { isRunningProcess } from '../system/processes/identity.ts'
import { processTable } from '../system/processes/table.ts'
import { runtimeFolder } from '../system/runtime-folder.ts'
import type { Terminal } from './terminal.ts'

const retryEvery = 100

/**
 * Allows one prompt at a time per terminal: two processes reading the same keyboard would each get half of the input.
 * Resolves to a function that releases the lock, or to null if the signal aborts first. If locking is not possible here,
 * it does not wait.
 */
export async function lockTerminal(terminal: Terminal, signal: AbortSignal): Promise<(() => void) | null> {
  const file = lockFileOf(terminal)
  if (file === null) return () => {}
  // A stopped process reads no keys, so it gives up the lock.
  const lock = createLock(file, { isHolding: isRunningProcess })
  while (!signal.aborted) {
    try {
      if (lock.take()) return lock.release
    } catch {
      return () => {}
    }
    // Prints nothing meanwhile: it would end up in the middle of the other prompt.
    await sleep(retryEvery)
  }
  return null
}

function lockFileOf({ input }: Terminal): string | null {
  if (!input.isTTY || input.fd === undefined || process.platform === 'win32') return null
  try {
    const device = deviceOf(input.fd)
    return device === null ? null : join(runtimeFolder(), `terminal-${device}`)
  } catch {
    return null
  }
}

/** `/dev/tty` names each process's own terminal, so only the process table knows which device it is. */
function deviceOf(fd: number): number | null {
  const { rdev } = fstatSync(fd)
  return rdev === statSync('/dev/tty').rdev ? processTable().terminal() : rdev
}
