import { openLocalHub } from '../../../src/open-hub.ts'
import { createLog } from '../../../src/server/log.ts'
import { serve } from '../../../src/server/serve.ts'
import { keepHeapSmall } from '../../../src/server/small-heap.ts'

// A server in a process of its own, which says how much memory it takes when it is asked.
keepHeapSmall()
const hub = await openLocalHub({ database: process.argv[2] ?? '' })
const served = await serve({ hub, log: createLog('silent'), version: '0', port: 0, rateLimit: null })
const secretOf = async (scope: 'ask' | 'answer') => (await hub.tokens.create({ scope })).secret
process.on('disconnect', () => process.exit())
process.on('message', () => process.send?.(process.memoryUsage.rss()))
process.send?.({ port: served.port, ask: await secretOf('ask'), answer: await secretOf('answer') })
