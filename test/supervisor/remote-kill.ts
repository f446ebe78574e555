import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { endAll, processesOf } from '../../src/supervisor/processes/processes.ts'
import { createRandom } from '../crash/random.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')
const agentFile = join(import.meta.dirname, 'processes/counting-agent.py')
const questions = 2

/** The processes to kill, one after the other, each with the delay before it in milliseconds. */
export interface RemoteRound {
  kills: { victim: 'runner' | 'server'; delay: number }[]
}

export interface RemoteVerdict {
  round: RemoteRound
  status: string
  faults: string[]
}

export function remoteRounds(count: number, seed: number): RemoteRound[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => ({
    kills: Array.from({ length: 1 + random.below(4) }, () => ({
      victim: random.pick(['runner', 'server'] as const),
      delay: random.below(random.pick([30, 300, 1_000])),
    })),
  }))
}

/**
 * Runs an agent with a remote hub, kills its supervisor and the server as the round says, and restarts them. In the end
 * the agent has read every answer once, and the server has its exact log.
 */
export async function killRemotely(round: RemoteRound): Promise<RemoteVerdict> {
  const root = mkdtempSync(join(tmpdir(), 'beckon-remote-'))
  const port = await freePort()
  const env = { ...process.env, BECKON_HOME: join(root, 'hub'), BECKON_USER: 'tester' }
  const hub = await openHub({ env: { BECKON_HOME: env.BECKON_HOME, BECKON_USER: 'tester' } })
  const { secret } = await hub.tokens.create({ scope: 'run' })
  const runnerEnv = {
    ...env,
    BECKON_HOME: join(root, 'runner'),
    BECKON_URL: `http://127.0.0.1:${port}`,
    BECKON_TOKEN: secret,
  }
  const over = new AbortController()
  const started: ChildProcess[] = []
  try {
    const answering = answerAll(hub, over.signal)
    let server = serve()
    await reachable(port)
    let runner = beckon(['run', '--', 'python3', agentFile, root, String(questions)], runnerEnv)
    await until(async () => (await hub.runs.list()).length > 0)
    for (const { victim, delay } of round.kills) {
      await sleep(delay)
      if (victim === 'server') {
        await kill(server)
        server = serve()
      } else {
        await kill(runner)
        runner = beckon(['run', '--recover'], runnerEnv)
      }
    }
    const run = await until(async () => {
      const [run] = await hub.runs.list()
      if (run && run.endedAt !== null) return run
      if (runner.exitCode !== null || runner.signalCode !== null) runner = beckon(['run', '--recover'], runnerEnv)
      return null
    })
    await until(async () => (await hub.logs.read(run.id, { after: 'end' })).final || null, 20_000).catch(() => null)
    over.abort()
    await answering
    return { round, status: run.status, faults: await faultsOf(hub, run.id, run.status, root) }
  } finally {
    over.abort()
    for (const child of started) child.kill('SIGKILL')
    for (const { id } of await hub.runs.list()) await endAll(id, { grace: 100 })
    await hub.close()
    rmSync(root, { recursive: true, force: true })
  }

  function serve(): ChildProcess {
    return beckon(['serve', '--port', String(port), '--no-link'], env)
  }

  function beckon(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(process.execPath, [launcher, ...args], { cwd: root, env, stdio: 'ignore' })
    started.push(child)
    return child
  }
}

async function faultsOf(hub: HubApi, run: string, status: string, root: string): Promise<string[]> {
  const faults: string[] = []
  const left = await until(async () => (processesOf(run).length === 0 ? [] : null), 5_000).catch(() => processesOf(run))
  if (left.length > 0) faults.push(`${left.length} processes are left behind`)
  // Killed before the agent started.
  if (status === 'failed' && !existsSync(join(root, 'read'))) return faults
  if (status !== 'completed') return [...faults, `it is ${status}`]
  const { requests } = await hub.list({ status: 'all' })
  const expected = ['start', ...requests.map(({ id }, i) => `${i} the answer to ${id}`), 'end', '']
  if (requests.length !== questions) faults.push(`${requests.length} questions were asked`)
  if (readFileSync(join(root, 'read'), 'utf8') !== expected.join('\n')) faults.push('it did not read each answer once')
  const printed = readFileSync(join(root, 'printed'), 'utf8')
  const { text, missing } = await logOf(hub, run)
  if (text !== printed || missing > 0)
    faults.push(
      `its log has ${text.length} characters, and it printed ${printed.length}: ${firstDifference(text, printed)}`,
    )
  return faults
}

function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((char, i) => char !== other[i])
  return JSON.stringify([one.slice(at - 20, at + 20), other.slice(at - 20, at + 20)])
}

async function logOf(hub: HubApi, run: string): Promise<{ text: string; missing: number }> {
  let text = ''
  let missing = 0
  for (let after = '0'; ; ) {
    const page = await hub.logs.read(run, { after })
    text += page.pieces.map(piece => (piece.stream === 'out' ? piece.text : '')).join('')
    missing += page.missing
    if (page.pieces.length === 0) return { text, missing }
    after = page.next
  }
}

async function answerAll(hub: HubApi, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { id } of (await hub.list()).requests) await hub.answer(id, { value: `the answer to ${id}` })
    await sleep(20)
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function until<T>(look: () => Promise<T | null | false>, timeout = 90_000): Promise<T> {
  const giveUpAt = Date.now() + timeout
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > giveUpAt) throw new Error('timed out')
    await sleep(50)
  }
}

async function reachable(port: number): Promise<void> {
  await until(() =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
