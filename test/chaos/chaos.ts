import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalHub } from '../../src/open-hub.ts'
import { readJournals } from '../crash/journal.ts'
import { createRandom, type Random } from '../crash/random.ts'
import { readTables } from '../crash/tables.ts'
import { findProcesses, mark, startCleaner } from '../setup/marked-processes.ts'
import { createDatabase } from '../setup/postgres-server.ts'
import { startCluster } from './cluster.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { type Fault, injectFault, type Targets } from './faults.ts'
import type { ChaosEntry } from './journal.ts'
import { countPending, readRuns } from './look.ts'
import { findContradictions } from './model.ts'
import { type Node, startNode } from './nodes.ts'
import { startRunner } from './runners.ts'
import { until } from './until.ts'
import { watchNodes } from './watch-nodes.ts'
import { startWorker } from './workers.ts'

export interface ChaosOptions {
  faults: readonly Fault[]
  seed: number
  /** The longest and usual pause between two faults is about this, in milliseconds. */
  pause: number
  /** No fault begins after so many seconds. */
  seconds: number
  log(line: string): void
}

export interface ChaosReport {
  injected: Partial<Record<Fault, number>>
  counts: { requests: number; events: number; runs: number; completed: number; acknowledged: number; seen: number }
  violations: string[]
}

const machineName = join(import.meta.dirname, '../setup/machine-name.mjs')

// Far longer than anything takes on a busy machine: what is not done by then is stuck.
const longest = 120_000

/**
 * Three nodes on one PostgreSQL with a standby, askers, answerers, followers and supervised agents, all of which are killed
 * and frozen while the network and the database break. In the end everything may finish, and what is stored is compared
 * with what was acknowledged.
 */
export async function chaos({ faults, seed, pause, seconds, log }: ChaosOptions): Promise<ChaosReport> {
  const random = createRandom(seed)
  const root = mkdtempSync('/tmp/beckon-chaos-')
  const clean = startCleaner(root, [`${root}-postgres`])
  const violations: string[] = []
  const report = (violation: string) => {
    if (!violations.includes(violation)) violations.push(violation)
    log(`VIOLATION: ${violation}`)
  }
  try {
    const world = await startWorld(root, random, report)
    const injected = await injectAll(world, faults, { random, pause, seconds, report, log })
    log('all faults are over; everything may finish')
    const end = await finish(world, report)
    violations.push(...findContradictions(end).slice(0, 50))
    const { tables, runs, journal, followed } = end
    const completed = runs.filter(({ status }) => status === 'completed').length
    const acknowledged = journal.filter(({ it }) =>
      ['asked', 'asked for', 'answered', 'delivered', 'used'].includes(it),
    )
    const counts = {
      requests: tables.requests.length,
      events: tables.events.length,
      runs: runs.length,
      completed,
      acknowledged: acknowledged.length,
      seen: [...followed.values()].reduce((sum, entries) => sum + entries.length, 0),
    }
    return { injected, counts, violations }
  } finally {
    await clean()
  }
}

type World = Awaited<ReturnType<typeof startWorld>>

async function startWorld(root: string, random: Random, report: (violation: string) => void) {
  for (const name of ['journals', 'agents', 'run', 'home']) mkdirSync(join(root, name), { mode: 0o700 })
  const base = { ...process.env, [mark]: root, XDG_RUNTIME_DIR: join(root, 'run'), HOME: join(root, 'home') }
  const cluster = await startCluster(`${root}-postgres`, { [mark]: root })
  const proxy = await startDatabaseProxy(() => cluster.primary.port)
  const created = new URL(await createDatabase(`postgres://postgres@127.0.0.1:${cluster.primary.port}/postgres`))
  const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}${created.pathname}`
  const env: NodeJS.ProcessEnv = {
    ...base,
    BECKON_USER: 'tester',
    BECKON_DB: urlAt(proxy.port),
    BECKON_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const hub = await openLocalHub({ database: urlAt(cluster.primary.port), env, sweeps: false })
  const tokenOf = async (scope: 'ask' | 'run' | 'answer') => (await hub.tokens.create({ scope, name: scope })).secret
  const tokens = { ask: await tokenOf('ask'), run: await tokenOf('run'), answer: await tokenOf('answer') }
  await hub.close()
  const nodes = await Promise.all(
    ['node-1', 'node-2', 'node-3'].map(name => startNode(name, root, onMachine(name, env), report)),
  )
  const watch = watchNodes(nodes, tokens.ask, report)
  await Promise.all(nodes.map(node => until(`${node.name} serves`, () => watch.serves(node))))
  const journals = join(root, 'journals')
  const given = { ports: nodes.map(({ port }) => port), journals }
  const workers = [
    startWorker('Ada', 'asker', { ...given, token: tokens.ask }, base, random, report),
    startWorker('Alan', 'asker', { ...given, token: tokens.ask }, base, random, report),
    startWorker('Grace', 'answerer', { ...given, token: tokens.answer }, base, random, report),
    startWorker('Edsger', 'answerer', { ...given, token: tokens.answer }, base, random, report),
    startWorker('Barbara', 'follower', { ...given, token: tokens.answer }, base, random, report),
    startWorker('Leslie', 'follower', { ...given, token: tokens.answer }, base, random, report),
  ]
  const remote = ({ port }: Node): NodeJS.ProcessEnv => ({
    ...base,
    BECKON_URL: `http://127.0.0.1:${port}`,
    BECKON_TOKEN: tokens.run,
  })
  const [first, second] = nodes as [Node, Node, Node]
  const runners = [env, remote(first), remote(second)].map((env, i) => {
    const name = `runner-${i + 1}`
    return startRunner(name, root, onMachine(name, env), random)
  })
  const killedAgents = new Set<string>()
  const url = () => urlAt(cluster.primary.port)
  return { root, url, cluster, proxy, nodes, watch, workers, runners, journals, killedAgents }
}

/** A home of another machine is not ours to judge; on one machine, there is one. */
function onMachine(name: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, MACHINE_NAME: name, NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --import=${machineName}`.trim() }
}

interface Injection {
  random: Random
  pause: number
  seconds: number
  report(violation: string): void
  log(line: string): void
}

/** Faults of processes may overlap; those of the database come one after the other. */
async function injectAll(world: World, faults: readonly Fault[], { random, pause, seconds, report, log }: Injection) {
  const targets: Targets = world
  const injected: Partial<Record<Fault, number>> = {}
  const underWay = new Set<Promise<void>>()
  let database: Promise<void> = Promise.resolve()
  const began = performance.now()
  let done = 0
  for (const fault of faults) {
    if (performance.now() - began > seconds * 1_000) {
      log(`time is up after ${done} of ${faults.length} faults`)
      break
    }
    await sleep(random.below(pause))
    if (ofDatabase(fault)) await database
    const work = inject(fault).catch(error => report(`"${fault}" could not be made good: ${error.message}`))
    if (ofDatabase(fault)) database = work
    underWay.add(work)
    work.finally(() => underWay.delete(work))
    done += 1
    if (done % 25 === 0) log(`${done} of ${faults.length} faults, ${Math.round((performance.now() - began) / 1_000)} s`)
  }
  await Promise.all(underWay)
  return injected

  async function inject(fault: Fault) {
    // Supervisors and agents come and go: wait for one.
    for (let tries = 0; tries < 600; tries += 1) {
      if (await injectFault(fault, targets, random)) {
        injected[fault] = (injected[fault] ?? 0) + 1
        return
      }
      await sleep(50)
    }
    log(`there was nothing to break for "${fault}"`)
  }
}

function ofDatabase(fault: Fault): boolean {
  return /database|backend|fail over/.test(fault)
}

async function finish(world: World, report: (violation: string) => void) {
  const { root, cluster, nodes, watch, workers, runners, journals, killedAgents } = world
  const finishAll = (role: string) =>
    Promise.all(workers.filter(worker => worker.role === role).map(worker => worker.finish(longest)))
  const expect = (what: string, look: () => Promise<boolean>) =>
    until(what, look, longest).catch(error => report(error.message))
  // Every node is well again by itself.
  await Promise.all(nodes.map(node => expect(`${node.name} serves again`, () => watch.serves(node))))
  watch.stop()
  const areRunsOver = async () => (await readRuns(world.url()).catch(() => [])).every(({ endedAt }) => endedAt !== null)
  await Promise.all([finishAll('asker'), ...runners.map(runner => runner.finish(areRunsOver, longest))])
  await expect('nothing is pending', async () => (await countPending(world.url())) === 0)
  await finishAll('answerer')
  const tables = await readTables(world.url())
  const followers = workers.filter(({ role }) => role === 'follower').map(({ name }) => name)
  const seenBy = (name: string) => readJournals<ChaosEntry>(journals, file => file.startsWith(`${name}-`))
  const lastSeenBy = (name: string) => seenBy(name).findLast(entry => entry.it === 'saw')?.event ?? 0
  await Promise.all(
    followers.map(name => expect(`${name} has seen the last event`, async () => lastSeenBy(name) >= tables.lastEvent)),
  )
  await finishAll('follower')
  await Promise.all(nodes.map(node => node.stop()))
  const left = () => findProcesses(root).filter(({ command }) => !/postgres/.test(command))
  await until('no process is left', () => left().length === 0, 30_000).catch(() => {
    for (const { command } of left()) report(`a process is left behind: ${command.slice(0, 200)}`)
  })
  const evidence = {
    root,
    tables: await readTables(world.url()),
    runs: await readRuns(world.url()),
    journal: [...readJournals<ChaosEntry>(journals), ...watch.journal],
    followed: new Map(followers.map(name => [name, seenBy(name)])),
    killedAgents,
  }
  world.proxy.close()
  cluster.stop()
  return evidence
}
