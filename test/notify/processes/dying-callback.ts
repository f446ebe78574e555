import { allowedHostsOf } from '../../../src/notify/callbacks/check-callback.ts'
import { postCallback } from '../../../src/notify/callbacks/post-callback.ts'
import { startSender } from '../../../src/notify/sender.ts'
import { openLocalHub } from '../../../src/open-hub.ts'

// Calls one asker back and dies when the reply is there, before that is written down.
const [database = ''] = process.argv.slice(2)
const hub = await openLocalHub({ database, sweeps: false })
startSender({
  hub,
  outbox: hub.outbox,
  inbox: 'https://beckon.example',
  log: { warn: console.error, info: console.error },
  callBack: async delivery => {
    await postCallback(delivery, { allowed: allowedHostsOf(process.env) })
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  },
})
process.on('disconnect', () => process.exit())
