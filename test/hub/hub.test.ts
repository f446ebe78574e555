import { describe } from 'vitest'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
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
