import { flushCompileCache } from 'node:module'
import { openHub } from '../../../src/open-hub.ts'
import type { Outcome } from '../../../src/protocol/index.ts'

export type WaiterMessage =
  | { said: 'ready' }
  | { said: 'waiting'; id: string }
  | { said: 'resumed'; id: string; outcome: Outcome | null; at: number }
  | { said: 'followed'; events: number[] }

// Waits for every request that it is sent, and reports when each wait ends.
const hub = await openHub({ database: process.argv[2] ?? '', sweeps: false })
const followed: number[] = []
follow()
process.on('disconnect', () => process.exit())
process.on('message', (message: string) => {
  if (message === 'followed?') send({ said: 'followed', events: followed })
  else wait(message)
})
flushCompileCache()
send({ said: 'ready' })

async function wait(id: string) {
  const settled = hub.wait(id)
  send({ said: 'waiting', id })
  const { outcome } = await settled
  // All processes share the monotonic clock.
  send({ said: 'resumed', id, outcome, at: Number(process.hrtime.bigint()) / 1e6 })
}

async function follow() {
  for await (const event of hub.follow({ since: 0 })) followed.push(event.id)
}

function send(message: WaiterMessage) {
  process.send?.(message)
}
