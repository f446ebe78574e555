import { once } from 'node:events'
import { play } from './stage.ts'

// Only has a hub open: that alone fires deadlines.
await play(async ({ over }) => {
  const idle = setInterval(() => {}, 60_000)
  if (!over.aborted) await once(over, 'abort')
  clearInterval(idle)
})
