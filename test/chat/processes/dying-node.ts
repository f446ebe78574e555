import { startChats } from '../../../src/chat/start.ts'
import { openLocalHub } from '../../../src/open-hub.ts'

// Takes a press, and dies just before or just after it settles the request.
const [database = '', moment = ''] = process.argv.slice(2)
const hub = await openLocalHub({ database, sweeps: false })
startChats({
  hub: {
    get: hub.get,
    answer: async (id, input) => {
      if (moment === 'after') await hub.answer(id, input)
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => {})
    },
  },
  chat: hub.chat,
  log: { warn: console.error, info: console.error },
  timing: { look: 20, lease: 60_000 },
})
process.on('disconnect', () => process.exit())
