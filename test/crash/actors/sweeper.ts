import { once } from 'node:events'
import { runActor } from './run-actor.ts'

// Only has a hub open: that alone fires deadlines.
await runActor(async ({ over }) => {
  const idle = setInterval(() => {}, 60_000)
  if (!over.aborted) await once(over, 'abort')
  clearInterval(idle)
})
