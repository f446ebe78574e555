import { flushCompileCache } from 'node:module'
import { openHub } from '../../../src/open-hub.ts'
import { type Journal, openJournal } from '../journal.ts'
import { createRandom, type Random } from '../random.ts'

/** What the driver passes to an actor. */
export interface ActorOptions {
  name: string
  database: string
  journal: string
  seed: number
  /** The run that this actor started before it was killed. */
  run: string | null
}

interface ActorContext {
  options: ActorOptions
  hub: Awaited<ReturnType<typeof openHub>>
  record: Journal
  random: Random
  /** Aborted when the driver asks for a clean end. */
  over: AbortSignal
}

/** Sets an actor up, runs it until the driver ends it, and closes its hub. */
export async function runActor(act: (context: ActorContext) => Promise<void>): Promise<void> {
  const options: ActorOptions = JSON.parse(process.argv[2] ?? '{}')
  const over = new AbortController()
  process.on('message', () => over.abort())
  // The driver is gone.
  process.on('disconnect', () => process.exit())
  const hub = await openHub({ database: options.database })
  // Flushed now: a killed process flushes nothing.
  flushCompileCache()
  const context = {
    options,
    hub,
    record: openJournal(options.journal),
    random: createRandom(options.seed),
    over: over.signal,
  }
  await act(context)
  await hub.close()
  process.disconnect()
}
