import { loadavg } from 'node:os'
import { openHubAndStore } from '../../src/open-hub.ts'
import { buildSearchIndex } from '../../src/store/search/build-index.ts'
import { type Databases, type Kind, openDatabases } from '../databases.ts'
import { type Grid, type GridLine, isWanted, median, number, progress, type Wanted } from '../report.ts'
import { openBulk } from './bulk.ts'
import { fillHistory } from './fill.ts'
import { firstCommand, type Operation, operations, type Place } from './operations.ts'

const kinds: Kind[] = ['SQLite', 'PostgreSQL']
const [most, least] = [15, 3]
// Milliseconds after which an operation is not tried more often.
const longEnough = 4_000
const mostGrowth = 1.5
const longestSearch = 50
const overdue = 50_000

/** How long what people and agents wait for takes as the history grows. */
export async function benchGrowth({ on, sizes = '0,10000,100000', open = '100000' }: Wanted): Promise<Grid> {
  const settled = sizes.split(',').map(Number)
  const databases = await openDatabases()
  try {
    const lines: GridLine[] = []
    for (const kind of kinds.filter(kind => isWanted(on, kind))) {
      lines.push(...(await measureKind(kind, settled, Number(open), databases)))
    }
    const load = loadavg().map(one => one.toFixed(1))
    return {
      columns: [...settled.map(size => size.toLocaleString('en')), 'last ÷ first', 'goal', ''],
      lines,
      notes: [
        `Milliseconds, medians, with ${Number(open).toLocaleString('en')} open requests. Load ${load.join(', ')}.`,
        'The index of searches was built before, by the code that builds it in the background.',
      ],
    }
  } finally {
    await databases.close()
  }
}

async function measureKind(kind: Kind, settled: number[], open: number, databases: Databases): Promise<GridLine[]> {
  const places: Place[] = []
  for (const size of settled) {
    progress(`${kind}: storing ${size} settled and ${open} open requests`)
    const filled = await fillHistory(kind, await databases.fresh(kind), { settled: size, open })
    const { hub, store } = await openHubAndStore({ database: filled.database, sweeps: false })
    progress(`${kind}: building the index of searches`)
    await buildSearchIndex(store, { pauses: false })
    if (kind === 'PostgreSQL') await (await openBulk(kind, filled.database)).analyze()
    places.push({ ...filled, hub, store })
  }
  const lines: GridLine[] = []
  for (const operation of operations) {
    progress(`${kind}: ${operation.name}`)
    lines.push(lineOf(kind, operation, await measure(operation, places)))
  }
  for (const place of places) await place.hub.close()
  progress(`${kind}: ${firstCommand.name}`)
  lines.push(lineOf(kind, firstCommand, await measureFirstCommand(kind, places)))
  return lines
}

/** All sizes in turn, so that a machine that becomes busy slows all of them down. The first try warms up. */
async function measure({ run }: Operation, places: readonly Place[]): Promise<number[]> {
  const times = places.map((): number[] => [])
  const began = performance.now()
  for (let n = -1; n < most && (n < least || performance.now() - began < longEnough); n += 1) {
    for (const [i, place] of places.entries()) {
      const time = await run(place, n)
      if (n >= 0) times[i]?.push(time)
    }
  }
  return times.map(median)
}

async function measureFirstCommand(kind: Kind, places: readonly Place[]): Promise<number[]> {
  for (const place of places) await (await openBulk(kind, place.database)).makeOverdue(overdue)
  return measure(firstCommand, places)
}

function lineOf(kind: Kind, { name, goal }: Operation, times: readonly number[]): GridLine {
  const [first = Number.NaN, last = Number.NaN] = [times[0], times.at(-1)]
  const growth = last / first
  const isMet = goal === 'search' ? last <= longestSearch : growth <= mostGrowth
  return {
    group: kind,
    name,
    cells: [
      ...times.map(number),
      `${growth.toFixed(2)} ×`,
      goal === 'search' ? `≤ ${longestSearch} ms` : `≤ ${mostGrowth} ×`,
      isMet ? 'ok' : 'MISS',
    ],
  }
}
