import { openHub } from '../src/open-hub.ts'
import type { HubApi } from '../src/protocol/index.ts'
import type { Databases, Kind } from './databases.ts'
import { floorOf, perSecond } from './floor.ts'
import { question } from './processes/question.ts'
import { startProcess } from './processes/start-process.ts'
import { median, progress, type Row } from './report.ts'

const duration = 1_500
const rounds = 3

type Work = { atATime: number; confirmed?: boolean }
type Setting = Work & { name: string; across: boolean; atLeast: Goals }
type Goals = Partial<Record<Kind, number>>

const both = (atLeast: number): Goals => ({ SQLite: atLeast, PostgreSQL: atLeast })

const settings: Setting[] = [
  { name: 'in process, 1 at a time', atATime: 1, across: false, atLeast: both(0.3) },
  { name: 'in process, 50 at a time', atATime: 50, across: false, atLeast: both(2) },
  { name: 'across processes, 1 at a time', atATime: 1, across: true, atLeast: { SQLite: 0.35, PostgreSQL: 0.3 } },
  { name: 'across processes, 50 at a time', atATime: 50, across: true, atLeast: both(2) },
  { name: 'and delivery confirmed, 1 at a time', atATime: 1, across: false, confirmed: true, atLeast: {} },
  {
    name: 'and delivery confirmed, 50 at a time',
    atATime: 50,
    across: false,
    confirmed: true,
    atLeast: { PostgreSQL: 2.5 },
  },
]

/**
 * Full cycles per second: a request is stored, somebody else answers it, and the waiter resumes. That is two durable
 * commits, as many as in a pair of the floor; confirming the delivery adds a third.
 */
export async function measureCycles(kind: Kind, databases: Databases): Promise<Row[]> {
  const floors: number[] = []
  const rates = settings.map((): number[] => [])
  for (let round = 1; round <= rounds; round += 1) {
    for (const [i, setting] of settings.entries()) {
      progress(`${kind}: cycles ${setting.name}, round ${round} of ${rounds}`)
      floors.push(await floorOf(kind, databases))
      const database = await databases.fresh(kind)
      rates[i]?.push(setting.across ? await acrossProcesses(database, setting) : await inProcess(database, setting))
      await databases.drop(kind, database)
    }
    floors.push(await floorOf(kind, databases))
  }
  const floor = median(floors)
  return [
    { group: `${kind}: the floor F`, name: 'bare driver, insert + update', value: floor, unit: 'pairs/s' },
    ...settings.map(({ name, atLeast: { [kind]: atLeast } }, i): Row => {
      const value = median(rates[i] ?? [])
      const goal = atLeast === undefined ? {} : { goal: { of: 'ratio', atLeast } as const }
      return { group: `${kind}: full cycles`, name, value, unit: 'cycles/s', floor, ...goal }
    }),
  ]
}

/** Without a goal of its own: what a server has to do, too, before it has made a call. */
export async function cyclesInProcess(database: string, atATime: number): Promise<number> {
  return inProcess(database, { atATime })
}

async function inProcess(database: string, { atATime, confirmed = false }: Work): Promise<number> {
  const hub = await openHub({ database })
  const rate = await repeat(atATime, async n => {
    const { id } = await hub.raise(question(n))
    const settled = hub.wait(id)
    await hub.answer(id, { value: 'PostgreSQL' })
    await settled
    if (confirmed) await hub.confirmDelivery(id)
  })
  await hub.close()
  return rate
}

async function acrossProcesses(database: string, { atATime }: Work): Promise<number> {
  const hub: HubApi = await openHub({ database })
  const answerer = await startProcess('answerer', database)
  const rate = await repeat(atATime, async n => {
    const { id } = await hub.raise(question(n))
    await hub.wait(id)
  })
  await answerer.stop()
  await hub.close()
  return rate
}

/** Runs `atATime` loops concurrently, first to warm up and then for the measured time. */
async function repeat(atATime: number, cycle: (n: number) => Promise<unknown>): Promise<number> {
  let asked = 0
  const loopsFor = async (time: number) => {
    const began = performance.now()
    let done = 0
    const loop = async () => {
      while (performance.now() - began < time) {
        asked += 1
        await cycle(asked)
        done += 1
      }
    }
    await Promise.all(Array.from({ length: atATime }, loop))
    return perSecond(done, began)
  }
  await loopsFor(duration)
  return loopsFor(duration)
}
