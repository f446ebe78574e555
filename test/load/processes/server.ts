import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openLocalHub } from '../../../src/open-hub.ts'
import { createLog } from '../../../src/server/log.ts'
import { serve } from '../../../src/server/serve.ts'
import { keepHeapSmall } from '../../../src/server/small-heap.ts'

// A server in a separate process that reports its memory usage on request.
keepHeapSmall()
const hub = await openLocalHub({ database: process.argv[2] ?? '' })
const served = await serve({ hub, log: createLog('silent'), version: '0', port: 0, rateLimit: null })
const secretOf = async (scope: 'ask' | 'answer') => (await hub.tokens.create({ scope })).secret
process.on('disconnect', () => process.exit())
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
process.on('message', message => {
  if (message === 'memory held') collectGarbage()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send?.(message === 'memory held' ? heapUsed + external : rss)
})
process.send?.({ port: served.port, ask: await secretOf('ask'), answer: await secretOf('answer') })
