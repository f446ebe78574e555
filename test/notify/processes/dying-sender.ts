import { startSender } from '../../../src/notify/sender.ts'
import { openLocalHub } from '../../../src/open-hub.ts'

// Sends one message and dies when the reply is there, before that is written down.
const [database = ''] = process.argv.slice(2)
const hub = await openLocalHub({ database, sweeps: false })
startSender({
  hub,
  outbox: hub.outbox,
  inbox: 'https://beckon.example',
  log: { warn: console.error, info: console.error },
  fetch: async (url, init) => {
    await fetch(url, init)
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  },
})
process.on('disconnect', () => process.exit())
