import { describe } from 'vitest'
import type { Caller } from '../../src/hub/caller.ts'
import { createHub, type Hub } from '../../src/hub/hub.ts'
import { createTemporarySealing, openLocalHub } from '../../src/open-hub.ts'
import { openMemory } from '../../src/store/sqlite/memory.ts'
import { databases, testKey } from '../setup/databases.ts'
import { earlierContract } from './earlier-contract.ts'
import { type HubUnderTest, hubContract } from './hub-contract.ts'

describe.each(databases)('the hub in process on $name', ({ prepared }) => {
  const begin = async (): Promise<HubUnderTest> => {
    const database = await prepared()
    let moved = 0
    let sweeper: Hub | undefined
    return {
      open: async caller => {
        const hub = await openLocalHub({
          database,
          env: { BECKON_KEY: testKey },
          caller: { user: 'me', directory: '/work', ...caller },
          shift: () => moved,
          sweeps: false,
        })
        sweeper ??= hub
        return hub
      },
      advance: ms => {
        moved += ms
      },
      sweep: async () => {
        await sweeper?.sweep()
      },
    }
  }
  hubContract(begin)
  earlierContract(begin)
})

describe('the hub in process on SQLite in memory', () => {
  const begin = async (): Promise<HubUnderTest> => {
    let moved = 0
    let sweeper: Hub | undefined
    const store = await openMemory({ clock: () => Date.now() + moved })
    const sealing = createTemporarySealing()
    return {
      open: async given => {
        const caller = { ...someone, ...given }
        // The hubs of a test share the store, which is gone with the test.
        const shared = { ...store, close: async () => {} }
        const hub = await createHub({ store: shared, sealing, caller, sweeps: false })
        sweeper ??= hub
        return hub
      },
      advance: ms => {
        moved += ms
      },
      sweep: async () => {
        await sweeper?.sweep()
      },
    }
  }
  hubContract(begin)
  earlierContract(begin)
})

const someone: Caller = {
  user: 'me',
  host: 'here',
  directory: '/work',
  agent: 'script',
  channel: 'sdk',
  token: null,
  boundTo: null,
}
