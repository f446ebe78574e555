import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../src/open-hub.ts'
import { agentOutput } from './agent-output.ts'
import { measureInProcess } from './processes/start-process.ts'
import { median, progress, type Row, type Wanted } from './report.ts'

const million = 1_000_000
const rounds = 3
const launcher = join(import.meta.dirname, '../bin/beckon.js')
const goal = { of: 'ratio', atLeast: 0.4 } as const

/** One way to take the same output of an agent; in milliseconds. */
interface Way {
  name: string
  time(round: Round): Promise<number>
}

interface Round {
  folder: string
  /** The agent's command: it prints these files. */
  files: string[]
}

const copied: Way = { name: 'copied to a file by a Node program', time: copyToFile }
const ways: Way[] = [
  { name: 'beckon run', time: round => run(round, {}) },
  { name: 'beckon run, a secret redacted', time: round => run(round, { secret: true }) },
  { name: 'beckon run, and another program reads it', time: round => run(round, { isRead: true }) },
]

/** Measures how fast the output of an agent passes through `beckon run`, beside a program that copies it to a file. */
export async function benchRun({ bytes = String(1_000 * million) }: Wanted): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  const part = join(root, 'output')
  writeFileSync(part, agentOutput(Math.min(32 * million, Number(bytes)), { asks: false }))
  const files = Array<string>(Math.max(1, Math.round(Number(bytes) / (32 * million)))).fill(part)
  const size = files.length * readFileSync(part).length
  const times = new Map([copied, ...ways].map(way => [way, [] as number[]]))
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (const [way, found] of times) {
        progress(`${way.name}, round ${round} of ${rounds}`)
        const folder = join(root, 'round')
        mkdirSync(folder)
        found.push(await way.time({ folder, files }))
        rmSync(folder, { recursive: true })
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  const group = `${Math.round(size / million)} MB of output`
  const rate = (way: Way) => size / 1_000 / median(times.get(way) ?? [])
  return [
    { group, name: copied.name, value: rate(copied), unit: 'MB/s' },
    ...ways.map((way): Row => ({ group, name: way.name, value: rate(way), unit: 'MB/s', floor: rate(copied), goal })),
  ]
}

function copyToFile({ folder, files }: Round): Promise<number> {
  return measureInProcess<number>('pipe-copier', join(folder, 'copy'), 'cat', ...files)
}

/** From the moment when the agent begins to print until the run has ended and its log is complete. */
async function run({ folder, files }: Round, { secret = false, isRead = false }): Promise<number> {
  const env = { ...process.env, BECKON_HOME: join(folder, 'home') }
  const started = join(folder, 'started')
  const ask = String.raw`printf '[DEPENDENCY_REQUEST]\ntype: api_key\nname: KEY\ndescription: x\n[/DEPENDENCY_REQUEST]\n'; read -r key`
  const script = `${secret ? `${ask}; ` : ''}date +%s%3N > "$0"; exec cat "$@"`
  const child = spawn(process.execPath, [launcher, 'run', '--', 'sh', '-c', script, started, ...files], {
    cwd: folder,
    env,
    stdio: ['ignore', isRead ? 'pipe' : 'ignore', 'inherit'],
  })
  const reader = child.stdout ? spawn('wc', ['-c'], { stdio: [child.stdout, 'ignore', 'inherit'] }) : null
  const ended = once(child, 'exit')
  if (secret) await answer(env.BECKON_HOME, child)
  const [code] = await ended
  const time = Date.now() - Number(readFileSync(started, 'utf8'))
  if (code !== 0) throw new Error(`beckon run ended with ${code}`)
  if (reader && reader.exitCode === null) await once(reader, 'exit')
  return time
}

async function answer(home: string, { exitCode }: ChildProcess): Promise<void> {
  const hub = await openHub({ env: { BECKON_HOME: home, BECKON_USER: 'bench' } })
  try {
    while (exitCode === null) {
      const [request] = (await hub.list()).requests
      if (request) return void (await hub.answer(request.id, { value: 'bench_16C7e42F292c6912E7710c838347Ae178B4a' }))
      await sleep(20)
    }
  } finally {
    await hub.close()
  }
}
