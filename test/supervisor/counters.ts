import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'

// Counts in the size of a file, without a fork; the pipe that nobody writes to is what it sleeps on.
const counting = `
exec {tick}<> <(:)
wait $!
echo $BASHPID > $1.pid
while :; do echo >> $1; read -t 0.005 -u $tick; done
`

/** Programs that count, each in a file of its own, so that it can be seen who goes on. */
export interface Counters {
  readonly folder: string
  /** Starts a script in a session of its own; `bash count NAME` in it is a counter. */
  bash(run: string | null, script: string, options?: SpawnOptions): ChildProcess
  python(run: string | null, script: string, options?: SpawnOptions): ChildProcess
  /** Resolves once all of them count, to their process numbers. */
  started(...names: string[]): Promise<number[]>
  /** Which of them go on, while another program certainly does. */
  goingOn(...names: string[]): Promise<string[]>
  pid(name: string): number
  has(name: string): boolean
  end(): Promise<void>
}

export function startCounters(): Counters {
  const folder = realpathSync(temporaryFolder())
  // For programs of other users.
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, 'count'), counting)
  const bash: Counters['bash'] = (...args) => start('bash', ...args)
  const python: Counters['python'] = (...args) => start('python3', ...args)
  // Somebody who has nothing to do with any run.
  bash(null, 'exec bash count control')
  return { folder, bash, python, started, goingOn, pid, has, end }

  function start(command: string, run: string | null, script: string, options: SpawnOptions = {}): ChildProcess {
    const env = { PATH: process.env.PATH, ...(run !== null && { BECKON_RUN: run }) }
    return spawn(command, ['-c', script], { cwd: folder, env, stdio: 'ignore', detached: true, ...options })
  }

  async function started(...names: string[]) {
    await vi.waitFor(() => expectAll(names, name => size(name) > 3), { timeout: 20_000, interval: 5 })
    return names.map(pid)
  }

  async function goingOn(...names: string[]) {
    const before = names.map(size)
    await steps(30)
    return names.filter((name, n) => size(name) !== before[n])
  }

  /** By what others get done meanwhile, for on a busy machine no time is long enough. */
  async function steps(number: number) {
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

  /** Whoever works in the folder, by number: nobody else does. */
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

/** The letter that the system shows for its state, or null when it is gone. */
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

/** By any of its threads, for the first one may have left. */
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
