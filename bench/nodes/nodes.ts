import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabases } from '../databases.ts'
import { floorOf } from '../floor.ts'
import { type Grid, type GridLine, median, number, percentile, progress, type Wanted } from '../report.ts'
import { type Load, measureLoad } from './load.ts'
import { closePair, cycle, openPair, type Server, startServers } from './servers.ts'
import { measureStreams } from './streams.ts'

const rounds = 3
const [cold, samples] = [30, 150]

interface Finding {
  nodes: number
  /** Asked and answered on the same node, and on different ones. */
  within: Load
  across: Load | null
  latencyWithin: number[]
  latencyAcross: number[]
  messages: number
}

/** One, two and four servers on one PostgreSQL, called from this process. What one more gives, and where it ends. */
export async function benchNodes({ sizes = '1,2,4' }: Wanted): Promise<Grid> {
  const counts = sizes.split(',').map(Number)
  const databases = await openDatabases()
  try {
    const floors: number[] = []
    const found = counts.map((): Finding[] => [])
    // In turn, so that a machine that becomes busy slows all of them down.
    for (let round = 1; round <= rounds; round += 1) {
      floors.push(await floorOf('PostgreSQL', databases))
      for (const [i, nodes] of counts.entries()) {
        progress(`round ${round} of ${rounds}: ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`)
        found[i]?.push(await measureNodes(nodes, await databases.fresh('PostgreSQL')))
      }
    }
    return gridOf(counts, found, median(floors))
  } finally {
    await databases.close()
  }
}

async function measureNodes(nodes: number, database: string): Promise<Finding> {
  const servers = await startServers(nodes, database)
  try {
    const next = (n: number) => (n + 1) % nodes
    const within = await measureLoad(servers, database, n => n)
    const across = nodes > 1 ? await measureLoad(servers, database, next) : null
    const latencyWithin = await measureLatency(servers, n => n)
    const latencyAcross = nodes > 1 ? await measureLatency(servers, next) : []
    return { nodes, within, across, latencyWithin, latencyAcross, messages: await measureStreams(servers) }
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}

/** From answer to resume, one at a time, with nothing else to do. */
async function measureLatency(servers: readonly Server[], answeredBy: (asked: number) => number): Promise<number[]> {
  const pairs = await Promise.all(servers.map((server, n) => openPair(server, servers[answeredBy(n)] ?? server)))
  const times: number[] = []
  for (let n = 0; n < cold + samples; n += 1) {
    const pair = pairs[n % pairs.length]
    if (pair) times.push(await cycle(pair, () => sleep(2)))
  }
  pairs.forEach(closePair)
  return times.slice(cold)
}

function gridOf(counts: readonly number[], found: readonly Finding[][], floor: number): Grid {
  const one = median(found[0]?.map(({ within }) => within.rate) ?? [])
  const sameNode = 'asked and answered on the same node'
  const otherNode = 'asked on one node, answered on another'
  const lines = [
    ...group('cycles per second, 100 at a time', {
      [sameNode]: ({ within }) => within.rate,
      [otherNode]: ({ across }) => across?.rate,
      '× one node': ({ within }) => within.rate / one,
      '× floor F': ({ within }) => within.rate / floor,
    }),
    ...group('from answer to resume, ms', {
      [`${sameNode}, p50`]: ({ latencyWithin }) => share(latencyWithin, 0.5),
      [`${sameNode}, p99`]: ({ latencyWithin }) => share(latencyWithin, 0.99),
      [`${otherNode}, p50`]: ({ latencyAcross }) => share(latencyAcross, 0.5),
      [`${otherNode}, p99`]: ({ latencyAcross }) => share(latencyAcross, 0.99),
    }),
    ...group('events to 250 streams on every node', { 'messages per second': ({ messages }) => messages }),
    ...group('processors in use', {
      'each node': ({ within, nodes }) => within.nodes && within.nodes / nodes,
      'all nodes': ({ within }) => within.nodes,
      PostgreSQL: ({ within }) => within.postgres,
      'the caller': ({ within }) => within.caller,
      'the machine, others included': ({ within }) => within.machine,
    }),
    ...group('processor time for a cycle, ms', {
      'all nodes': ({ within }) => within.nodes && (1_000 * within.nodes) / within.rate,
      PostgreSQL: ({ within }) => within.postgres && (1_000 * within.postgres) / within.rate,
      'the caller': ({ within }) => (1_000 * within.caller) / within.rate,
    }),
    ...group('transactions at a time, and what they wait for', {
      'the counter of events': ({ within }) => within.activity.counter,
      'another commit that announces itself': ({ within }) => within.activity.notify,
      'the log on the disk': ({ within }) => within.activity.log,
      'their node': ({ within }) => within.activity.node,
      'something else': ({ within }) => within.activity.other,
      'nothing: they run': ({ within }) => within.activity.running,
    }),
    ...group('commits', {
      'per second': ({ within }) => within.commits,
      'asks and answers in one': ({ within }) => (2 * within.rate) / within.commits,
    }),
  ]
  const load = loadavg().map(value => value.toFixed(1))
  return {
    columns: counts.map(count => (count === 1 ? '1 node' : `${count} nodes`)),
    lines,
    notes: [`Medians of ${rounds} rounds. F is ${number(floor)} pairs/s. Load ${load.join(', ')}.`],
  }

  function group(name: string, values: Record<string, (finding: Finding) => number | null | undefined>): GridLine[] {
    return Object.entries(values).map(([line, value]) => ({
      group: name,
      name: line,
      cells: found.map(rounds => cellOf(rounds.map(value))),
    }))
  }
}

function cellOf(values: readonly (number | null | undefined)[]): string {
  const known = values.filter(value => value !== null && value !== undefined)
  return known.length === 0 ? '' : number(median(known))
}

function share(times: readonly number[], at: number): number | null {
  return times.length === 0 ? null : percentile(times, at)
}
