import { openHub } from '../../../src/index.ts'

// A program that asks and can be asked back. With `die` it ends in the middle of a message.
const [database = '', how = ''] = process.argv.slice(2)
process.on('disconnect', () => process.exit())
const hub = await openHub(database)
const outcome = await hub.ask(
  { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }], key: 'ship' },
  {
    async onMessage({ id, text }, reply) {
      process.send?.({ heard: id })
      if (how === 'die') process.kill(process.pid, 'SIGKILL')
      await reply(`About "${text}": tested.`)
      process.send?.({ replied: id })
    },
  },
)
process.send?.({ outcome }, () => process.exit())
