import { setTimeout as delay } from 'node:timers/promises'
import type { HubApi } from '../../protocol/hub.ts'
import type { Run } from '../../protocol/run.ts'
import { takeCheckpoint } from './checkpoint.ts'

export interface KeptStart {
  hub: HubApi
  run: Run
  /** The agent's. */
  env: NodeJS.ProcessEnv
  say: (text: string) => void
  signal: AbortSignal
}

// In a small repository it is done long before; in a large one the agent does not wait for it.
const longest = 200

/**
 * Keeps the files as they are before the first step of the agent: what phases are compared with, and what one can always go
 * back to. Resolves when that is done, or when it takes so long that the agent is started beside it; the note says so.
 */
export async function keepStart({ hub, run, env, say, signal }: KeptStart): Promise<void> {
  const started = new AbortController()
  const note = () => (started.signal.aborted ? 'Its agent was started before this was done.' : null)
  const keeping = takeCheckpoint({ hub, run, reason: 'start', env, logPosition: 0, note, signal }).then(
    () => {},
    error => {
      if (!signal.aborted) say(`There is no checkpoint of the start: ${error instanceof Error ? error.message : error}`)
    },
  )
  const kept = new AbortController()
  const tooLong = delay(longest, undefined, { signal: kept.signal }).then(
    () => started.abort(),
    () => {},
  )
  await Promise.race([keeping, tooLong])
  kept.abort()
}
