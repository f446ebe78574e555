import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalHub } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { startProcess } from '../setup/start-process.ts'
import { findViolations, findViolationsIn } from './invariants.ts'
import { readJournals } from './journal.ts'
import type { WorkerOptions } from './processes/run-worker.ts'
import { createRandom, type Random } from './random.ts'
import { readTables } from './tables.ts'

export interface CrashOptions {
  /** An empty database, or null for a SQLite file. */
  database: string | null
  rounds: number
  seed: number
}

export interface CrashReport {
  kills: number
  requests: number
  events: number
  /** How many results the workers received. */
  acknowledged: number
  violations: string[]
}

type Role = 'asker' | 'answerer' | 'sweeper'

const workerRoles: { name: string; role: Role }[] = [
  { name: 'Ada', role: 'asker' },
  { name: 'Alan', role: 'asker' },
  { name: 'Grace', role: 'answerer' },
  { name: 'Edsger', role: 'answerer' },
  { name: 'Barbara', role: 'sweeper' },
]

/**
 * Workers use one database while some are killed at random moments and restarted. At the end all of them may finish,
 * and the database is compared with every acknowledged result and with the events that a follower received.
 */
export async function crash({ database, rounds, seed }: CrashOptions): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-crash-'))
  const random = createRandom(seed)
  const env = { ...process.env, ...(database === null ? {} : { BECKON_KEY: Buffer.alloc(32, 7).toString('base64') }) }
  const workers = createWorkers(database ?? join(folder, 'home', 'beckon.db'), folder, env, random)
  try {
    workers.startAll()
    // The workers start without a database, so one of them may be killed while it creates it.
    const hub = await openLocalHub({ database: workers.database, env, sweeps: false })
    const follower = follow(hub)
    const inspector = inspect(workers.database)
    let kills = 0
    for (let round = 0; round < rounds; round += 1) {
      await someWork(workers.journals)
      await sleep(50 + random.below(900))
      kills += await workers.killSome()
    }
    await sleep(500)
    await workers.finish('answerer')
    await sleep(200)
    await workers.finish('asker', 'sweeper')
    const foundMeanwhile = await inspector.stop()
    const unanswerable = await answerPending(hub)
    const { events } = await readTables(workers.database)
    const followed = await follower.until(events.length)
    await hub.close()
    const tables = await readTables(workers.database)
    const journal = readJournals(workers.journals)
    const found = findViolations({ tables, journal, followed })
    const violations = [...workers.faults, ...foundMeanwhile, ...unanswerable, ...found]
    const counts = { requests: tables.requests.length, events: tables.events.length, acknowledged: journal.length }
    return { kills, ...counts, violations }
  } finally {
    workers.killAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

const workBetweenKills = 12
const patience = 5_000

/** A kill proves something only if the workers have started and do something, which takes a slow machine a while. */
async function someWork(journals: string): Promise<void> {
  const end = Date.now() + patience
  const before = readJournals(journals).length
  while (readJournals(journals).length < before + workBetweenKills && Date.now() < end) await sleep(50)
}

/** Starts, kills and restarts the workers, and records those that died without being killed. */
function createWorkers(database: string, folder: string, env: NodeJS.ProcessEnv, random: Random) {
  const journals = join(folder, 'journals')
  const alive = new Map<string, ChildProcess>()
  const killed = new WeakSet<ChildProcess>()
  const faults: string[] = []
  let starts = 0
  mkdirSync(journals)

  return { database, journals, faults, startAll, killSome, finish, killAll }

  function startAll() {
    for (const { name, role } of workerRoles) start(name, role)
  }

  function start(name: string, role: Role) {
    starts += 1
    const options: WorkerOptions = {
      name: `${name} start ${starts}`,
      database,
      journal: join(journals, `${name}-${String(starts).padStart(6, '0')}`),
      seed: random.below(2 ** 31),
      run: lastRunOf(name),
    }
    const worker = startProcess(join(import.meta.dirname, 'processes', `${role}.ts`), [JSON.stringify(options)], env)
    let stderr = ''
    worker.stderr?.on('data', chunk => {
      stderr += chunk
    })
    worker.on('exit', code => {
      if (!killed.has(worker) && code !== 0) faults.push(`${options.name} failed (${code}): ${stderr.trim()}`)
    })
    alive.set(name, worker)
  }

  function lastRunOf(name: string): string | null {
    const entries = readJournals(journals, file => file.startsWith(`${name}-`))
    return entries.findLast(entry => entry.result === 'running')?.run ?? null
  }

  /** Usually one or two, occasionally all at once. */
  async function killSome(): Promise<number> {
    const everybody = random.chance(0.1)
    const victims = new Set(
      everybody ? workerRoles : [random.pick(workerRoles), ...(random.chance(0.4) ? [random.pick(workerRoles)] : [])],
    )
    await Promise.all([...victims].map(({ name }) => kill(name)))
    for (const { name, role } of victims) start(name, role)
    return victims.size
  }

  async function kill(name: string) {
    const worker = alive.get(name)
    if (!worker || hasEnded(worker)) return
    killed.add(worker)
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
  }

  async function finish(...roles: Role[]) {
    const finishing = workerRoles
      .filter(({ role }) => roles.includes(role))
      .flatMap(({ name }) => alive.get(name) ?? [])
    await Promise.all(
      finishing.map(async worker => {
        if (hasEnded(worker)) return
        const ended = once(worker, 'exit')
        worker.send('finish')
        await ended
      }),
    )
  }

  function killAll() {
    for (const worker of alive.values()) {
      killed.add(worker)
      worker.kill('SIGKILL')
    }
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Follows all events from the first one. */
function follow(hub: HubApi) {
  const seen: number[] = []
  const over = new AbortController()
  const following = (async () => {
    for await (const event of hub.follow({ since: 0, signal: over.signal })) seen.push(event.id)
  })()
  following.catch(() => {})
  return { until }

  async function until(count: number): Promise<number[]> {
    const deadline = performance.now() + 10_000
    while (seen.length < count && performance.now() < deadline) await sleep(10)
    over.abort()
    await following
    return seen
  }
}

/** Checks the whole database repeatedly: a change must never be visible without its event. */
function inspect(database: string) {
  let over = false
  const inspecting = (async () => {
    const violations = new Set<string>()
    while (!over) {
      for (const violation of findViolationsIn(await readTables(database))) violations.add(`for a moment, ${violation}`)
      await sleep(70)
    }
    return [...violations]
  })()
  inspecting.catch(() => {})
  return { stop }

  function stop(): Promise<string[]> {
    over = true
    return inspecting
  }
}

/** Answers every request that is still pending; each of them must accept an answer. */
async function answerPending(hub: HubApi & { sweep(): Promise<number> }): Promise<string[]> {
  const faults: string[] = []
  await hub.sweep()
  for (;;) {
    const { requests } = await hub.list({ limit: 1_000 })
    if (requests.length === 0) return faults
    const settlements = await Promise.all(
      requests.map(({ id, kind }) =>
        hub.answer(id, kind === 'dependency' ? { value: `secret of ${id}` } : { value: 'finally' }),
      ),
    )
    for (const { won, request } of settlements) {
      if (!won) faults.push(`${request.id} was open and could not be answered (${request.status})`)
    }
  }
}
