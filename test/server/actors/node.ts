import { openLocalHub } from '../../../src/open-hub.ts'
import { createLog } from '../../../src/server/log.ts'
import { serve } from '../../../src/server/serve.ts'

// One of several servers over one database, in a process of its own.
const [database = '', publicUrl = ''] = process.argv.slice(2)
const hub = await openLocalHub({ database })
const served = await serve({ hub, log: createLog('silent'), version: '0', port: 0, publicUrl, rateLimit: null })
process.on('disconnect', () => process.exit())
process.send?.(served.port)
