import { describe } from 'vitest'
import { earlierContract } from '../hub/earlier-contract.ts'
import { type HubUnderTest, hubContract } from '../hub/hub-contract.ts'
import { startServer } from '../server/test-server.ts'
import { databases } from '../setup/databases.ts'

describe.each(databases)('the hub over HTTP on $name', ({ prepared }) => {
  const begin = async (): Promise<HubUnderTest> => {
    let moved = 0
    const server = await startServer(await prepared(), { hub: { shift: () => moved, sweeps: false } })
    return {
      open: ({ user = 'me', ...caller } = {}) => server.client('answer', { name: user, ...caller }),
      advance: ms => {
        moved += ms
      },
      sweep: async () => {
        await server.hub.sweep()
      },
    }
  }
  hubContract(begin)
  earlierContract(begin)
})
