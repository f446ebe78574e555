import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../crash/random.ts'
import { findProcesses, hasEnded, killAndWait, mark, startCleaner } from '../setup/marked-processes.ts'
import { freePort } from '../setup/postgres-server.ts'
import { type Finding, judge, readSample, type Sample } from './samples.ts'
import { doMixedWork } from './work.ts'

export interface SoakOptions {
  minutes: number
  log(line: string): void
}

export interface SoakReport {
  samples: Sample[]
  findings: Finding[]
  counts: Map<string, number>
  /** Wrong answers, failed calls, processes left behind. */
  faults: string[]
  /** The share of one core that the server, and everything together, took. */
  load: { server: number; all: number }
}

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
const heapReporter = join(import.meta.dirname, 'processes/report-heap.mjs')

/** Mixed work on one server, with samples of what must not grow. Everything ends with this process, however that ends. */
export async function soak({ minutes, log }: SoakOptions): Promise<SoakReport> {
  const seconds = minutes * 60
  const gc = { keep: Math.ceil(Math.min(120, seconds / 8)), every: Math.ceil(Math.min(60, seconds / 16)) }
  const root = mkdtempSync('/tmp/beckon-soak-')
  const clean = startCleaner(root, [])
  for (const name of ['home', 'run', 'user']) mkdirSync(join(root, name), { mode: 0o700 })
  const env = {
    ...process.env,
    [mark]: root,
    BECKON_HOME: join(root, 'home'),
    XDG_RUNTIME_DIR: join(root, 'run'),
    HOME: join(root, 'user'),
    BECKON_USER: 'tester',
  }
  const counts = new Map<string, number>()
  const faults: string[] = []
  const samples: Sample[] = []
  const over = new AbortController()
  try {
    const port = await freePort()
    const server = await startServer(port)
    const tokens = { ask: await createToken('ask'), answer: await createToken('answer') }
    const context = {
      port,
      tokens,
      random: createRandom(1),
      over: over.signal,
      count: (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1),
      report,
      beckon: async (...args: string[]) => (await beckon(args)).code,
    }
    const working = doMixedWork(context, gc)
    const load = await sampleUntilEnd(server)
    over.abort()
    await working
    await end(server)
    return { samples, findings: judge(samples, Math.max(seconds / 4, gc.keep * 1.5)), counts, faults, load }
  } finally {
    over.abort()
    await clean()
  }

  function report(fault: string) {
    if (faults.length < 50) faults.push(fault)
    log(`FAULT: ${fault}`)
  }

  async function startServer(port: number): Promise<ChildProcess> {
    const args = ['--expose-gc', '--import', heapReporter, launcher, 'serve', '--port', String(port), '--no-link']
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    child.on('exit', code => {
      if (!over.signal.aborted) report(`the server ended (${code})`)
    })
    if (child.stdout) await once(child.stdout, 'data')
    return child
  }

  async function createToken(scope: string): Promise<string> {
    const { output } = await beckon(['token', 'create', '--scope', scope, '--json'])
    return (JSON.parse(output) as { secret: string }).secret
  }

  async function beckon(args: string[]): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, [launcher, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.on('data', bytes => {
      output += bytes
    })
    const [code] = await once(child, 'close')
    return { code, output }
  }

  /** A sample every 30 seconds, or at least two dozen. */
  async function sampleUntilEnd(server: ChildProcess): Promise<SoakReport['load']> {
    const pause = Math.min(30, seconds / 24)
    const began = performance.now()
    const pid = server.pid ?? 0
    for (let at = pause; at <= seconds && !hasEnded(server); at += pause) {
      await sleep(at * 1_000 - (performance.now() - began))
      if (hasEnded(server)) break
      const answered = once(server, 'message') as Promise<[{ rss: number; heap: number }]>
      server.send('memory')
      const [memory] = await answered
      const sample = readSample(Math.round(at), pid, root, memory)
      samples.push(sample)
      log(describe(sample))
    }
    const elapsed = (performance.now() - began) / 1_000
    const [ofServer, ofUs] = [cpuOf(pid), cpuOf(process.pid)]
    return {
      server: ofServer.own / elapsed,
      all: (ofServer.own + ofServer.children + ofUs.own + ofUs.children) / elapsed,
    }
  }

  /** The server ends when it is told to, and nothing stays behind. */
  async function end(server: ChildProcess) {
    server.kill('SIGTERM')
    const isOver = () => hasEnded(server) && findProcesses(root).length === 0
    for (let i = 0; i < 600 && !isOver(); i += 1) await sleep(100)
    for (const { command } of findProcesses(root)) report(`a process is left behind: ${command.slice(0, 200)}`)
    await killAndWait(server)
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function describe({ at, rss, heap, descriptors, threads, files, bytes, processes }: Sample): string {
  const memory = `rss ${megabytes(rss)}, heap ${megabytes(heap)}`
  return `${at} s: ${memory}, ${descriptors} descriptors, ${threads} threads, ${files} files with ${megabytes(bytes)}, ${processes} processes`
}

/** Seconds that a process has used, and its children that have ended. */
function cpuOf(pid: number): { own: number; children: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // In ticks, of which Linux has a hundred per second.
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15)
    return { own: (user + system) / 100, children: (childUser + childSystem) / 100 }
  } catch {
    return { own: 0, children: 0 }
  }
}
