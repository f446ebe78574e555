import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'

// Counts by the size of a file, without forking; it sleeps by reading from a pipe that stays empty.
const counting = `
exec {tick}<> <(:)
wait $!
echo $BASHPID > $1.pid
while :; do echo >> $1; read -t 0.005 -u $tick; done
`

/** Programs that count, each in its own file, so that a test can see which of them keep running. */
export interface Counters {
  readonly folder: string
  /** Starts a script in a new session; `bash count NAME` in it starts a counter. */
  bash(run: string | null, script: string, options?: SpawnOptions): ChildProcess
  python(run: string | null, script: string, options?: SpawnOptions): ChildProcess
  /** Waits until all of them count; returns their process ids. */
  started(...names: string[]): Promise<number[]>
  /** Returns those that keep counting while the control program does. */
  stillCounting(...names: string[]): Promise<string[]>
  pid(name: string): number
  has(name: string): boolean
  end(): Promise<void>
}

export function startCounters(): Counters {
  const folder = realpathSync(temporaryFolder())
  // Writable for programs of other users.
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'count'), counting)
  const bash: Counters['bash'] = (...args) => start('bash', ...args)
  const python: Counters['python'] = (...args) => start('python3', ...args)
  // A control program that belongs to no run.
  bash(null, 'exec bash count control')
  return { folder, bash, python, started, stillCounting, pid, has, end }

  function start(command: string, run: string | null, script: string, options: SpawnOptions = {}): ChildProcess {
    const env = { PATH: process.env.PATH, ...(run !== null && { BECKON_RUN: run }) }
    return spawn(command, ['-c', script], { cwd: folder, env, stdio: 'ignore', detached: true, ...options })
  }

  async function started(...names: string[]) {
    await vi.waitFor(() => expectAll(names, name => size(name) > 3), { timeout: 20_000, interval: 5 })
    return names.map(pid)
  }

  async function stillCounting(...names: string[]) {
    const before = names.map(size)
    await waitForControl(30)
    return names.filter((name, n) => size(name) !== before[n])
  }

  /** Waits until the control program has counted on, because no fixed time is long enough on a busy machine. */
  async function waitForControl(number: number) {
    const from = size('control')
    await vi.waitFor(() => expectAll(['control'], name => size(name) >= from + number), {
      timeout: 20_000,
      interval: 5,
    })
  }

  function pid(name: string): number {
    return Number(readFileSync(join(folder, `${name}.pid`), 'utf8'))
  }

  function has(name: string): boolean {
    return size(name) > 0
  }

  function size(name: string): number {
    return statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  }

  /** Kills every process whose working directory is the folder. */
  async function end() {
    await vi.waitFor(
      () => {
        const left = numbersIn('/proc').filter(pid => worksIn(pid, folder))
        for (const pid of left) orNull(() => process.kill(pid, 'SIGKILL'))
        if (left.length > 0) throw new Error(`${left} are left`)
      },
      { timeout: 20_000, interval: 5 },
    )
  }
}

/** The state letter of a process in /proc, or null if it is gone. */
export function stateOf(pid: number): string | null {
  return statFields(pid)?.[0] ?? null
}

export function parentOf(pid: number): number {
  return Number(statFields(pid)?.[1])
}

export function sessionOf(pid: number): number {
  return Number(statFields(pid)?.[3])
}

export function livingProcesses(): number[] {
  return numbersIn('/proc').filter(pid => !['Z', 'X', null].includes(stateOf(pid)))
}

function statFields(pid: number): string[] | null {
  const stat = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ') : null
}

/** Checks all threads, because the first one may have ended. */
function worksIn(pid: number, folder: string): boolean {
  return numbersIn(`/proc/${pid}/task`).some(
    thread => orNull(() => readlinkSync(`/proc/${pid}/task/${thread}/cwd`)) === folder,
  )
}

function numbersIn(folder: string): number[] {
  return (orNull(() => readdirSync(folder)) ?? []).map(Number).filter(Number.isInteger)
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}

function expectAll(names: string[], holds: (name: string) => boolean): void {
  const missing = names.filter(name => !holds(name))
  if (missing.length > 0) throw new Error(`not yet: ${missing}`)
}
