import { once } from 'node:events'
import { runWorker } from './run-worker.ts'

// Only keeps a hub open, which fires deadlines.
await runWorker(async ({ over }) => {
  const idle = setInterval(() => {}, 60_000)
  if (!over.aborted) await once(over, 'abort')
  clearInterval(idle)
})
