import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What drive.mjs finds out, by measure. */
export interface Findings {
  cycles: { 1: number; 50: number }
  latency: number[]
  waiting: { count: number; held: number; heap: number; rss: number }
  restart: { count: number; time: number }
}

// Milliseconds after which a measure is given up.
const limits = { cycles: 30_000, latency: 30_000, waiting: 60_000, restart: 60_000 }

/** Runs one measure of a framework in a process of its own. */
export async function runProgram<Measure extends keyof Findings>(
  programs: string,
  [name, measure, database, folder]: [string, Measure, string, string],
): Promise<Findings[Measure]> {
  const child = fork(join(programs, 'drive.mjs'), [name, measure, database, folder], {
    ...launcher(name === 'restate'),
    // A group of its own, so that a server that it starts ends with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', chunk => {
    errors = `${errors}${chunk}`.slice(-2_000)
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    killGroup(child.pid)
  }, limits[measure])
  const ended = once(child, 'exit')
  try {
    const found = await Promise.race([once(child, 'message'), ended.then(() => null)])
    if (found) return found[0] as Findings[Measure]
    throw new Error(isLate ? `not within ${limits[measure] / 1_000} s` : reasonIn(errors))
  } finally {
    await ended
    clearTimeout(timer)
    killGroup(child.pid)
  }
}

/** The server of Restate calls GitHub when it starts. On Linux, it has a network with nothing but loopback. */
function launcher(isOffline: boolean) {
  const flags = ['--expose-gc']
  if (!isOffline || process.platform !== 'linux') return { execArgv: flags }
  const script = 'ip link set lo up; exec "$@"'
  const args = ['--map-root-user', '--net', 'sh', '-c', script, 'sh', process.execPath, ...flags]
  return { execPath: 'unshare', execArgv: args }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}

function reasonIn(errors: string): string {
  const lines = errors.split('\n')
  return (lines.find(line => /^\w*Error\b/.test(line)) ?? lines.find(line => line.trim()) ?? 'it ended').slice(0, 120)
}
