import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../crash/random.ts'
import { findProcesses, sendSignal } from '../setup/marked-processes.ts'
import type { Cluster } from './cluster.ts'
import type { DatabaseProxy } from './database-proxy.ts'
import type { Node } from './nodes.ts'
import type { Role, Worker } from './workers.ts'

/** What can be broken, and how often of a hundred times about. */
const shares = {
  'kill a node': 14,
  'freeze a node': 7,
  'kill an asker': 9,
  'freeze an asker': 3,
  'kill an answerer': 9,
  'freeze an answerer': 3,
  'kill a follower': 5,
  'freeze a follower': 2,
  'kill a supervisor': 12,
  'freeze a supervisor': 6,
  'kill an agent': 6,
  'freeze an agent': 4,
  'cut the connections': 5,
  'cut at a commit': 4,
  'swallow the connections': 2,
  'kill the database': 3,
  'kill a backend': 2,
  'freeze the database': 2,
  'fail over': 2,
} as const
export type Fault = keyof typeof shares

// A supervisor's command line has that of its agent in it.
const supervisors = /beckon\.js run /
const agents = /^\S*python\S* \S*careful-agent/

export interface Targets {
  root: string
  nodes: readonly Node[]
  workers: readonly Worker[]
  cluster: Cluster
  proxy: DatabaseProxy
  /** The runs whose agent was killed: they may fail. */
  killedAgents: Set<string>
}

export function isKill(fault: string): boolean {
  return fault.startsWith('kill ')
}

/** How many faults to plan so that this many are kills. */
export function faultsWithKills(kills: number): number {
  const all = Object.entries(shares)
  const total = sumOf(all)
  // A few more: rounding, and targets that were gone already.
  return Math.ceil((kills * total * 1.03) / sumOf(all.filter(([fault]) => isKill(fault))))
}

function sumOf(shares: readonly (readonly [string, number])[]): number {
  return shares.reduce((sum, [, share]) => sum + share, 0)
}

/** A list of so many faults in random order, each kind at about its share and at least once if there is room. */
export function planFaults(count: number, random: Random): Fault[] {
  const kinds = Object.keys(shares) as Fault[]
  const total = kinds.reduce((sum, kind) => sum + shares[kind], 0)
  const planned = kinds.flatMap(kind =>
    Array<Fault>(Math.max(1, Math.round((shares[kind] / total) * count))).fill(kind),
  )
  while (planned.length < count) planned.push(random.pick(kinds))
  return shuffle(planned, random).slice(0, count)
}

export function shuffle<T>(list: readonly T[], random: Random): T[] {
  const rest = [...list]
  return Array.from({ length: rest.length }, () => rest.splice(random.below(rest.length), 1)[0] as T)
}

/** Breaks one thing; resolves when it is whole again, or is started again. False if there was nothing to break. */
export async function injectFault(fault: Fault, targets: Targets, random: Random): Promise<boolean> {
  const { nodes, cluster, proxy } = targets
  const a = (role: Role) => random.pick(targets.workers.filter(worker => worker.role === role))
  switch (fault) {
    case 'kill a node':
      return done(random.pick(nodes).kill())
    case 'freeze a node':
      return done(random.pick(nodes).freeze(200 + random.below(4_000)))
    case 'kill an asker':
      return done(a('asker').kill())
    case 'freeze an asker':
      return done(a('asker').freeze(200 + random.below(3_000)))
    case 'kill an answerer':
      return done(a('answerer').kill())
    case 'freeze an answerer':
      return done(a('answerer').freeze(200 + random.below(3_000)))
    case 'kill a follower':
      return done(a('follower').kill())
    case 'freeze a follower':
      return done(a('follower').freeze(200 + random.below(3_000)))
    case 'kill a supervisor':
      return hit(supervisors, 'SIGKILL')
    case 'freeze a supervisor':
      return hit(supervisors, 'SIGSTOP')
    case 'kill an agent':
      return hit(agents, 'SIGKILL')
    case 'freeze an agent':
      return hit(agents, 'SIGSTOP')
    case 'cut the connections':
      return done(proxy.cut())
    case 'cut at a commit':
      return done(proxy.cutAtCommit())
    case 'swallow the connections':
      return done(proxy.swallow())
    case 'kill the database':
      return done(cluster.kill())
    case 'kill a backend':
      return done(cluster.killBackend())
    case 'freeze the database':
      return done(cluster.freeze(300 + random.below(4_000)))
    case 'fail over':
      return done(cluster.failOver(random.chance(0.5)))
  }

  /** A supervisor or an agent, whoever started it. */
  async function hit(command: RegExp, signal: 'SIGKILL' | 'SIGSTOP'): Promise<boolean> {
    const found = findProcesses(targets.root).filter(process => command.test(process.command))
    if (found.length === 0) return false
    const { pid, run } = random.pick(found)
    if (fault === 'kill an agent' && run !== null) targets.killedAgents.add(run)
    sendSignal(pid, signal)
    if (signal === 'SIGKILL') return true
    await sleep(200 + random.below(3_000))
    sendSignal(pid, 'SIGCONT')
    return true
  }
}

async function done(work: Promise<void> | void): Promise<true> {
  await work
  return true
}
