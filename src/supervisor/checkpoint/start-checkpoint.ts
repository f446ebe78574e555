import { setTimeout as delay } from 'node:timers/promises'
import type { HubApi } from '../../protocol/hub.ts'
import type { Run } from '../../protocol/run.ts'
import { takeCheckpoint } from './checkpoint.ts'

export interface StartCheckpointOptions {
  hub: HubApi
  run: Run
  /** The agent's environment. */
  env: NodeJS.ProcessEnv
  print: (text: string) => void
  signal: AbortSignal
}

// A small repository takes a tenth of a second, and longer on a busy machine; the agent does not wait for a large one.
const longestWait = 2_000

/**
 * Takes a checkpoint of the files before the agent's first step: phases are compared with it, and a person can always
 * restore it. Resolves when it is done, or when the agent starts without waiting any longer; its note says so.
 */
export async function takeStartCheckpoint({ hub, run, env, print, signal }: StartCheckpointOptions): Promise<void> {
  const started = new AbortController()
  const note = () => (started.signal.aborted ? 'Its agent was started before this was complete.' : null)
  const taking = takeCheckpoint({ hub, run, reason: 'start', env, logPosition: 0, note, signal }).then(
    () => {},
    error => {
      if (!signal.aborted)
        print(`No checkpoint of the start was taken: ${error instanceof Error ? error.message : error}`)
    },
  )
  const done = new AbortController()
  const tooLong = delay(longestWait, undefined, { signal: done.signal }).then(
    () => started.abort(),
    () => {},
  )
  await Promise.race([taking, tooLong])
  done.abort()
}
