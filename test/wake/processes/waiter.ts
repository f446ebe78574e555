import { flushCompileCache } from 'node:module'
import { openHub } from '../../../src/open-hub.ts'
import type { Outcome } from '../../../src/protocol/index.ts'

export type WaiterSays =
  | { said: 'ready' }
  | { said: 'waiting'; id: string }
  | { said: 'resumed'; id: string; outcome: Outcome | null; at: number }
  | { said: 'followed'; events: number[] }

// Waits for every request it is told of, and says when it goes on.
const hub = await openHub({ database: process.argv[2] ?? '', sweeps: false })
const followed: number[] = []
follow()
process.on('disconnect', () => process.exit())
process.on('message', (message: string) => {
  if (message === 'followed?') say({ said: 'followed', events: followed })
  else wait(message)
})
flushCompileCache()
say({ said: 'ready' })

async function wait(id: string) {
  const settled = hub.wait(id)
  say({ said: 'waiting', id })
  const { outcome } = await settled
  // The clock that counts from boot is the same for all processes.
  say({ said: 'resumed', id, outcome, at: Number(process.hrtime.bigint()) / 1e6 })
}

async function follow() {
  for await (const event of hub.follow({ since: 0 })) followed.push(event.id)
}

function say(message: WaiterSays) {
  process.send?.(message)
}
