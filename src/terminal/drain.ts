import { closeSync, constants, openSync, readSync } from 'node:fs'
import type { Terminal } from './terminal.ts'

const longest = 10_000
const pause = 5
const clock = new Int32Array(new SharedArrayBuffer(4))

export interface Draining {
  /** Whether more has to come after these bytes. */
  expectsMore(bytes: Buffer): boolean
  /** After how many milliseconds without a byte nothing more is expected. */
  silence: number
}

/**
 * Reads what the terminal still sends, at once: also while the process ends. Without it, the shell would run the rest of a
 * paste. Goes on while more is expected, but not after a silence. The terminal must be in raw mode.
 */
export function drain(input: Terminal['input'], { expectsMore, silence }: Draining): Buffer {
  const fd = openAgain(input)
  if (fd === null) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  const began = performance.now()
  let last = began
  try {
    for (;;) {
      const now = performance.now()
      const chunk = readNow(fd)
      if (chunk) {
        chunks.push(chunk)
        last = now
      } else if (!expectsMore(Buffer.concat(chunks)) || now - last > silence || now - began > longest) break
      else Atomics.wait(clock, 0, 0, pause)
    }
  } finally {
    closeSync(fd)
  }
  return Buffer.concat(chunks)
}

/** Opened on its own, it can be read without waiting, whatever the mode of the shared one. */
function openAgain({ isTTY, fd }: Terminal['input']): number | null {
  if (!isTTY || fd === undefined || process.platform === 'win32') return null
  const path = process.platform === 'linux' ? `/proc/self/fd/${fd}` : '/dev/tty'
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return null
  }
}

/** Null if nothing has arrived, or the terminal is gone. */
function readNow(fd: number): Buffer | null {
  const bytes = Buffer.alloc(65_536)
  try {
    const count = readSync(fd, bytes)
    return count > 0 ? bytes.subarray(0, count) : null
  } catch {
    return null
  }
}
