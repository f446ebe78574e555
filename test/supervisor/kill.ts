import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../../src/open-hub.ts'
import type { HubApi, Run } from '../../src/protocol/index.ts'
import { endAll, processesOf } from '../../src/supervisor/processes/processes.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
const agentFile = join(import.meta.dirname, 'processes/careful-agent.py')
const questions = 3

type Victim = 'supervisor' | 'agent' | 'both'

export interface Round {
  victim: Victim
  /** Whether the run can be resumed. */
  sleeps: boolean
  /** The event to wait for before the kill, and the delay after it in milliseconds. */
  after: 'start' | 'asked' | 'answered'
  delay: number
}

/** The result of a round; without faults if all is well. */
export interface Verdict {
  round: Round
  status: string
  faults: string[]
}

/**
 * Runs an agent that asks, answers it, kills the victim of the round, and recovers. In the end the agent has read every
 * answer exactly once, or the run is marked as failed; and no process is left behind.
 */
export async function killOnce(round: Round): Promise<Verdict> {
  const root = mkdtempSync(join(tmpdir(), 'beckon-kill-'))
  const env = { ...process.env, BECKON_HOME: join(root, 'home'), BECKON_USER: 'tester' }
  const hub = await openHub({ env: { BECKON_HOME: env.BECKON_HOME, BECKON_USER: 'tester' } })
  const over = new AbortController()
  try {
    const answering = answerAll(hub, over.signal)
    const flags = round.sleeps ? ['--sleep-after', '1h'] : []
    const command = ['python3', agentFile, join(root, 'log'), String(questions)]
    const running = beckon(['run', ...flags, '--', ...command])
    await until(hub, round)
    await sleep(round.delay)
    await kill(round.victim, running, hub)
    await once(running, 'close').catch(() => {})
    const run = await conclude()
    over.abort()
    await answering
    return { round, status: run?.status ?? 'never started', faults: run ? await faultsOf(hub, run, round, log()) : [] }
  } finally {
    over.abort()
    for (const { id } of await hub.runs.list()) await endAll(id, { grace: 100 })
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }

  function beckon(args: string[]): ChildProcess {
    return spawn(process.execPath, [launcher, ...args], { cwd: root, env, stdio: 'ignore' })
  }

  /** Recovers until the run has ended. */
  async function conclude(): Promise<Run | undefined> {
    for (let i = 0; i < 200; i += 1) {
      const [run] = await hub.runs.list()
      if (!run || ['completed', 'failed', 'stopped'].includes(run.status)) return run
      await once(beckon(['run', '--recover']), 'close')
      await sleep(10)
    }
    return (await hub.runs.list())[0]
  }

  function log(): string[] {
    const file = join(root, 'log')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  }
}

async function answerAll(hub: HubApi, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { id } of (await hub.list()).requests) await hub.answer(id, { value: `the answer to ${id}` })
    await sleep(5)
  }
}

/** Waits for the event of the round; a kill may come before it. */
async function until(hub: HubApi, { after }: Round): Promise<void> {
  const wanted = { start: 'run.started', asked: 'request.created', answered: 'request.answered' }[after]
  for (let i = 0; i < 2_000; i += 1) {
    if ((await hub.events()).some(({ type }) => type === wanted)) return
    await sleep(2)
  }
}

async function kill(victim: Victim, running: ChildProcess, hub: HubApi): Promise<void> {
  if (victim !== 'agent') running.kill('SIGKILL')
  if (victim === 'supervisor') return
  const [run] = await hub.runs.list()
  // Only the agent: its holder reports how it ended.
  for (const pid of run ? processesOf(run.id) : []) {
    if (commandOf(pid).includes('careful-agent')) process.kill(pid, 'SIGKILL')
  }
}

/** A dismissed holder takes a moment to exit. */
async function remainingProcesses(run: string): Promise<number[]> {
  for (let i = 0; i < 500 && processesOf(run).length > 0; i += 1) await sleep(10)
  return processesOf(run)
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function faultsOf(hub: HubApi, run: Run, round: Round, log: string[]): Promise<string[]> {
  const faults: string[] = []
  const left = await remainingProcesses(run.id)
  if (left.length > 0)
    faults.push(`processes are left behind: ${left.map(pid => commandOf(pid).replaceAll('\0', ' ')).join('; ')}`)
  const { requests } = await hub.list({ status: 'all' })
  if (requests.some(({ status }) => status === 'pending')) faults.push('a request of a run that has ended is open')
  // Each start reads its answers in order, complete, and each once.
  const starts = log.join('\n').split('start').slice(1)
  for (const start of starts) {
    const read = start.split('\n').filter(line => line !== '' && line !== 'end')
    const expected = requests.slice(0, read.length).map(({ id }, i) => `${i} the answer to ${id}`)
    if (read.join('\n') !== expected.join('\n'))
      faults.push(`it read ${JSON.stringify(read)}, not ${JSON.stringify(expected)}`)
  }
  if (requests.length > questions) faults.push(`${requests.length} questions were asked instead of ${questions}`)
  if (run.status === 'completed') {
    if (log.at(-1) !== 'end') faults.push('it completed, and its agent did not')
    if (requests.some(({ deliveredAt }) => deliveredAt === null)) faults.push('an answer was read and never confirmed')
  } else if (run.status !== 'failed') {
    faults.push(`it is ${run.status}`)
  } else if (log.at(-1) === 'end' && round.victim === 'supervisor') {
    // An agent that is killed after its last line has not ended well.
    faults.push('its agent finished, and it failed')
  }
  return faults
}
