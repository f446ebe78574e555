import { flushCompileCache } from 'node:module'
import { openHub } from '../../../src/open-hub.ts'
import { type Journal, openJournal } from '../journal.ts'
import { createRandom, type Random } from '../random.ts'

/** What the driver tells an actor. */
export interface Brief {
  name: string
  database: string
  journal: string
  seed: number
  /** The run that an earlier life of this actor was told of. */
  run: string | null
}

interface Stage {
  brief: Brief
  hub: Awaited<ReturnType<typeof openHub>>
  tell: Journal
  random: Random
  /** Aborted when the driver wants a good end. */
  over: AbortSignal
}

/** Sets an actor up, lets it play until the driver says so, and leaves in good order. */
export async function play(act: (stage: Stage) => Promise<void>): Promise<void> {
  const brief: Brief = JSON.parse(process.argv[2] ?? '{}')
  const over = new AbortController()
  process.on('message', () => over.abort())
  // The driver is gone: nobody is left to play for.
  process.on('disconnect', () => process.exit())
  const hub = await openHub({ database: brief.database })
  // Kept now: those who are killed keep nothing at their end.
  flushCompileCache()
  const stage = { brief, hub, tell: openJournal(brief.journal), random: createRandom(brief.seed), over: over.signal }
  await act(stage)
  await hub.close()
  process.disconnect()
}
