import { openHub } from '../../src/open-hub.ts'

// Answers every request that another process raises. The answer is the time at which it was given.
const hub = await openHub({ database: process.argv[2] ?? '', sweeps: false })
const over = new AbortController()
process.on('message', () => over.abort())
process.on('disconnect', () => process.exit())

const following = (async () => {
  for await (const event of hub.follow({ since: 0, signal: over.signal })) {
    if (event.type === 'request.created' && event.request) answer(event.request)
  }
})()
process.send?.('ready')
await following
await hub.close()
process.disconnect()

function answer(id: string) {
  hub.answer(id, { value: String(process.hrtime.bigint()) }).catch((error: unknown) => {
    if (!over.signal.aborted) throw error
  })
}
