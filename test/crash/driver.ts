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
  /** What was acknowledged to some worker. */
  acknowledged: number
  violations: string[]
}

type Role = 'asker' | 'answerer' | 'sweeper'

const roster: { name: string; role: Role }[] = [
  { name: 'Ada', role: 'asker' },
  { name: 'Alan', role: 'asker' },
  { name: 'Grace', role: 'answerer' },
  { name: 'Edsger', role: 'answerer' },
  { name: 'Barbara', role: 'sweeper' },
]

/**
 * Rounds of murder: workers work on one database, some are killed at any moment and brought back. Then everybody may
 * finish, and what is stored is held against what was ever acknowledged, and against what a follower saw meanwhile.
 */
export async function crash({ database, rounds, seed }: CrashOptions): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-crash-'))
  const random = createRandom(seed)
  const env = { ...process.env, ...(database === null ? {} : { BECKON_KEY: Buffer.alloc(32, 7).toString('base64') }) }
  const workers = createWorkers(database ?? join(folder, 'home', 'beckon.db'), folder, env, random)
  try {
    workers.enter()
    // The workers start on a database that nobody has opened yet; the first of them may not live to see it made.
    const hub = await openLocalHub({ database: workers.database, env, sweeps: false })
    const follower = follow(hub)
    const inspector = inspect(workers.database)
    let kills = 0
    for (let round = 0; round < rounds; round += 1) {
      await sleep(50 + random.below(900))
      kills += await workers.killSome()
    }
    await sleep(500)
    await workers.finish('answerer')
    await sleep(200)
    await workers.finish('asker', 'sweeper')
    const seenMeanwhile = await inspector.stop()
    const unanswerable = await answerWhatIsLeft(hub)
    const { events } = await readTables(workers.database)
    const followed = await follower.until(events.length)
    await hub.close()
    const tables = await readTables(workers.database)
    const journal = readJournals(workers.journals)
    const found = findViolations({ tables, journal, followed })
    const violations = [...workers.faults, ...seenMeanwhile, ...unanswerable, ...found]
    const counts = { requests: tables.requests.length, events: tables.events.length, acknowledged: journal.length }
    return { kills, ...counts, violations }
  } finally {
    workers.killAll()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The workers that are alive, and the deaths they did not owe to us. */
function createWorkers(database: string, folder: string, env: NodeJS.ProcessEnv, random: Random) {
  const journals = join(folder, 'journals')
  const alive = new Map<string, ChildProcess>()
  const doomed = new WeakSet<ChildProcess>()
  const faults: string[] = []
  let lives = 0
  mkdirSync(journals)

  return { database, journals, faults, enter, killSome, finish, killAll }

  function enter() {
    for (const { name, role } of roster) start(name, role)
  }

  function start(name: string, role: Role) {
    lives += 1
    const options: WorkerOptions = {
      name: `${name} in life ${lives}`,
      database,
      journal: join(journals, `${name}-${String(lives).padStart(6, '0')}`),
      seed: random.below(2 ** 31),
      run: lastRunOf(name),
    }
    const worker = startProcess(join(import.meta.dirname, 'processes', `${role}.ts`), [JSON.stringify(options)], env)
    let complaint = ''
    worker.stderr?.on('data', chunk => {
      complaint += chunk
    })
    worker.on('exit', code => {
      if (!doomed.has(worker) && code !== 0)
        faults.push(`${options.name} died by itself (${code}): ${complaint.trim()}`)
    })
    alive.set(name, worker)
  }

  function lastRunOf(name: string): string | null {
    const entries = readJournals(journals, file => file.startsWith(`${name}-`))
    return entries.findLast(entry => entry.result === 'running')?.run ?? null
  }

  /** One or two as a rule, and now and then everybody at once. */
  async function killSome(): Promise<number> {
    const everybody = random.chance(0.1)
    const victims = new Set(
      everybody ? roster : [random.pick(roster), ...(random.chance(0.4) ? [random.pick(roster)] : [])],
    )
    await Promise.all([...victims].map(({ name }) => kill(name)))
    for (const { name, role } of victims) start(name, role)
    return victims.size
  }

  async function kill(name: string) {
    const worker = alive.get(name)
    if (!worker || hasEnded(worker)) return
    doomed.add(worker)
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
  }

  async function finish(...roles: Role[]) {
    const leaving = roster.filter(({ role }) => roles.includes(role)).flatMap(({ name }) => alive.get(name) ?? [])
    await Promise.all(
      leaving.map(async worker => {
        if (hasEnded(worker)) return
        const ended = once(worker, 'exit')
        worker.send('finish')
        await ended
      }),
    )
  }

  function killAll() {
    for (const worker of alive.values()) {
      doomed.add(worker)
      worker.kill('SIGKILL')
    }
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Follows from the first event on, for the whole time. */
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

/** Looks at everything that is stored, again and again: no moment may show a change without its event. */
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

/** Nothing may be left that cannot be answered: whatever is still open takes an answer now, or its deadline did. */
async function answerWhatIsLeft(hub: HubApi & { sweep(): Promise<number> }): Promise<string[]> {
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
