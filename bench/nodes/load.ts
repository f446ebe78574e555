import { perSecond } from '../floor.ts'
import { machineTime, processorTimeOf } from './processor-time.ts'
import { closePair, cycle, openPair, type Pair, type Server } from './servers.ts'
import { type Activity, watchDatabase } from './watch-database.ts'

/** What full cycles took, measured together. */
export interface Load {
  /** Cycles per second. */
  rate: number
  /** Commits per second, of all nodes. */
  commits: number
  /** How many processors each used on average; null where the system does not tell. */
  nodes: number | null
  postgres: number | null
  caller: number
  machine: number
  activity: Activity
}

const atATime = 100
const [warmUp, duration] = [1_500, 2_000]

/** Full cycles, spread over all nodes; `answeredBy` says on which node the requests of one are answered. */
export async function measureLoad(
  servers: readonly Server[],
  database: string,
  answeredBy: (asked: number) => number,
): Promise<Load> {
  const pairs = await Promise.all(Array.from({ length: atATime }, (_, n) => pairOf(n % servers.length)))
  const watch = await watchDatabase(database)
  try {
    await runFor(pairs, warmUp)
    return await measure()
  } finally {
    pairs.forEach(closePair)
    await watch.close()
  }

  function pairOf(asked: number): Promise<Pair> {
    const [one, other] = [servers[asked], servers[answeredBy(asked)]]
    if (!one || !other) throw new Error('no such server')
    return openPair(one, other)
  }

  async function measure(): Promise<Load> {
    const postgres = await watch.pids()
    const nodes = servers.map(({ pid }) => pid)
    const used = () => ({
      nodes: processorTimeOf(nodes),
      postgres: processorTimeOf(postgres),
      caller: (({ user, system }) => (user + system) / 1e6)(process.cpuUsage()),
      machine: machineTime(),
    })
    const over = new AbortController()
    const commitsBefore = await watch.commits()
    const before = used()
    const sampling = watch.sample(over.signal)
    const began = performance.now()
    const done = await runFor(pairs, duration)
    const rate = perSecond(done, began)
    const after = used()
    const seconds = (performance.now() - began) / 1_000
    over.abort()
    const activity = await sampling
    return {
      rate,
      commits: ((await watch.commits()) - commitsBefore) / seconds,
      nodes: difference(after.nodes, before.nodes, seconds),
      postgres: difference(after.postgres, before.postgres, seconds),
      caller: (after.caller - before.caller) / seconds,
      machine: (after.machine - before.machine) / seconds,
      activity,
    }
  }
}

async function runFor(pairs: readonly Pair[], time: number): Promise<number> {
  const began = performance.now()
  let done = 0
  await Promise.all(
    pairs.map(async pair => {
      while (performance.now() - began < time) {
        await cycle(pair)
        done += 1
      }
    }),
  )
  return done
}

function difference(after: number | null, before: number | null, seconds: number): number | null {
  return after === null || before === null ? null : (after - before) / seconds
}
