import { openLocalHub } from '../../src/open-hub.ts'
import { createLog } from '../../src/server/log.ts'
import { serve } from '../../src/server/serve.ts'
import { keepHeapSmall } from '../../src/server/small-heap.ts'

// A server over a database; says where it is and with which tokens, and how much memory it takes when asked.
keepHeapSmall()
const hub = await openLocalHub({ database: process.argv[2] ?? '' })
const served = await serve({ hub, log: createLog('silent'), version: '0', port: 0, rateLimit: null })
const tokenOf = async (scope: 'ask' | 'answer') => (await hub.tokens.create({ scope })).secret
process.on('disconnect', () => process.exit())
process.on('message', async (message): Promise<void> => {
  if (message !== 'stop') return void process.send?.({ memory: memory() })
  await served.close()
  await hub.close()
  process.disconnect()
})
process.send?.({ port: served.port, ask: await tokenOf('ask'), answer: await tokenOf('answer') })

function memory(): number {
  for (let i = 0; i < 3; i += 1) globalThis.gc?.()
  return process.memoryUsage.rss()
}
