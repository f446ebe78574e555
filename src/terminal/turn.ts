import { fstatSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from './terminal.ts'

const lookAgain = 100

/**
 * One prompt at a time on one terminal: two processes that read the same keyboard would each get half of what is typed.
 * Resolves to the end of our turn; null when the signal came first. Where turns cannot be kept, there is no waiting.
 */
export async function takeTurn(terminal: Terminal, signal: AbortSignal): Promise<(() => void) | null> {
  const file = lockFileOf(terminal)
  if (file === null) return () => {}
  while (!signal.aborted) {
    const holder = take(file)
    if (holder === null) return () => release(file)
    if (holder === 'unknown') return () => {}
    // Nothing is said meanwhile: it would be written into the other's frame.
    await sleep(lookAgain)
  }
  return null
}

/** Null when it is ours now; otherwise whose it is. A holder that died has no turn any more. */
function take(file: string): number | 'unknown' | null {
  const mine = `${file}.${process.pid}`
  try {
    writeFileSync(mine, String(process.pid))
    try {
      // A link is made whole or not at all: nobody meets a file without its owner in it.
      linkSync(mine, file)
      return null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return 'unknown'
    } finally {
      rmSync(mine, { force: true })
    }
    const holder = Number(readFileSync(file, 'utf8'))
    if (holder === process.pid) return null
    if (isAlive(holder)) return holder
    rmSync(file, { force: true })
    return holder
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 0 : 'unknown'
  }
}

function release(file: string): void {
  try {
    if (Number(readFileSync(file, 'utf8')) === process.pid) rmSync(file, { force: true })
  } catch {
    // Somebody took it for dead, or the folder is gone: then there is nothing to give back.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function lockFileOf({ input }: Terminal): string | null {
  if (!input.isTTY || input.fd === undefined || process.platform === 'win32') return null
  try {
    const folder = join(tmpdir(), `beckon-${userInfo().uid}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const device = deviceOf(input.fd)
    return device === null ? null : join(folder, `terminal-${device}`)
  } catch {
    return null
  }
}

/** `/dev/tty` is every process's own terminal under one name: there, the system knows which one it is. */
function deviceOf(fd: number): number | null {
  const { rdev } = fstatSync(fd)
  if (rdev !== statSync('/dev/tty').rdev) return rdev
  if (process.platform !== 'linux') return null
  const stat = readFileSync('/proc/self/stat', 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]) || null
}
