import { fstatSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from './terminal.ts'

const lookAgain = 100

/**
 * Allows one prompt at a time per terminal: two processes reading the same keyboard would each get half of the input.
 * Resolves to a function that releases the lock, or to null if the signal aborts first. If locking is not possible here,
 * it does not wait.
 */
export async function lockTerminal(terminal: Terminal, signal: AbortSignal): Promise<(() => void) | null> {
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

/** Null when it is ours now; otherwise whose it is. */
function take(file: string): string | null {
  const mine = `${file}.${process.pid}`
  const name = nameOf(process.pid)
  try {
    writeFileSync(mine, name)
    // A link is made whole or not at all: nobody meets a file without its owner in it.
    linkSync(mine, file)
    return null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return 'unknown'
  } finally {
    rmSync(mine, { force: true })
  }
  const holder = holderOf(file)
  if (holder === name) return null
  if (holder !== null && !isHolding(holder)) takeAway(file, holder, mine)
  return holder ?? 'gone'
}

/** By another name first: whoever took it in the meantime keeps it. */
function takeAway(file: string, holder: string, mine: string): void {
  try {
    renameSync(file, mine)
    if (holderOf(mine) !== holder) linkSync(mine, file)
  } catch {
    // Somebody else was quicker.
  } finally {
    rmSync(mine, { force: true })
  }
}

function release(file: string): void {
  if (holderOf(file) === nameOf(process.pid)) rmSync(file, { force: true })
}

function holderOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Its number and when it started, so that a later process with the same number is not taken for it. */
function nameOf(pid: number): string {
  return `${pid} ${statOf(pid)?.startedAt ?? ''}`
}

/** Not when it died, nor while it is stopped: then it reads no keys. */
function isHolding(holder: string): boolean {
  const pid = Number(holder.split(' ')[0])
  if (process.platform === 'linux') return nameOf(pid) === holder && !/[TtZX]/.test(statOf(pid)?.state ?? 'X')
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function statOf(pid: number): { state: string; startedAt: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startedAt: fields[19] ?? '' }
  } catch {
    return null
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
