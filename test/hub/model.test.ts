import fc from 'fast-check'
import { describe, it } from 'vitest'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { databases } from '../setup/databases.ts'
import { history, runHistory } from './model.ts'

// PostgreSQL takes much longer, for the same hub above it.
const histories: Record<string, number> = { SQLite: 1_000, PostgreSQL: 300 }

describe.each(databases)('random histories of three clients on $name', ({ name, fresh }) => {
  it('never violate an invariant in hundreds of runs', { timeout: 300_000 }, async () => {
    const database = await fresh()
    let moved = 0
    const open = () => openLocalHub({ database, caller: { user: 'me' }, shift: () => moved, sweeps: false })
    const hubs: Hub[] = [await open(), await open(), await open()]
    const world = {
      cursor: 0,
      hubs,
      advance: (ms: number) => {
        moved += ms
      },
      sweep: () => (hubs[0] as Hub).sweep(),
    }
    let runs = 0
    const property = fc.asyncProperty(history, steps => {
      runs += 1
      return runHistory(world, steps, `/history/${runs}`)
    })
    await fc.assert(property, { numRuns: histories[name] ?? 0 })
    await Promise.all(hubs.map(hub => hub.close()))
  })
})
