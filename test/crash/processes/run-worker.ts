import { flushCompileCache } from 'node:module'
import { openHub } from '../../../src/open-hub.ts'
import { type Journal, openJournal } from '../journal.ts'
import { createRandom, type Random } from '../random.ts'

/** The options that the driver passes to a worker. */
export interface WorkerOptions {
  name: string
  database: string
  journal: string
  seed: number
  /** The run that this worker started before it was killed. */
  run: string | null
}

interface WorkerContext {
  options: WorkerOptions
  hub: Awaited<ReturnType<typeof openHub>>
  record: Journal
  random: Random
  /** Aborted when the driver asks for a clean end. */
  over: AbortSignal
}

/** Sets a worker up, runs it until the driver ends it, and closes its hub. */
export async function runWorker(work: (context: WorkerContext) => Promise<void>): Promise<void> {
  const options: WorkerOptions = JSON.parse(process.argv[2] ?? '{}')
  const over = new AbortController()
  process.on('message', () => over.abort())
  // The driver has ended.
  process.on('disconnect', () => process.exit())
  const hub = await openHub({ database: options.database })
  // Flush now, because a killed process flushes nothing.
  flushCompileCache()
  const context = {
    options,
    hub,
    record: openJournal(options.journal),
    random: createRandom(options.seed),
    over: over.signal,
  }
  await work(context)
  await hub.close()
  process.disconnect()
}
