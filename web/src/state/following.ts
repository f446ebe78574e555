import { Refusal } from '../api/call.ts'
import { hearEvents } from '../api/events.ts'
import { listRuns } from '../api/runs.ts'
import { pause } from '../browser/pause.ts'
import {
  forgetHubState,
  handleEvent,
  hubState,
  lastEventSeen,
  noteEvent,
  rereadOpen,
  setHubState,
  updateHubState,
} from './hub-state.ts'
import { refresh } from './inbox.ts'

const retryDelay = 2_000
const firstRetryDelay = 250
const mostRuns = 200

/** Reads the inbox together with the number of the last event, and follows the events from there. */
export function startFollowing(): () => void {
  const ended = new AbortController()
  void keepFollowing(ended.signal)
  return () => {
    ended.abort()
    // Not when it starts: what was preloaded would have to be read again.
    forgetHubState()
  }
}

async function keepFollowing(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const [{ cursor }, runs] = await Promise.all([refresh(), listRuns(mostRuns)])
      if (signal.aborted) return
      noteEvent(cursor)
      updateHubState(...runs)
      setHubState({ phase: 'live', isLoaded: true, connections: hubState().connections + 1 })
      // They may have been read before this cursor.
      rereadOpen()
      await follow(signal)
    } catch {
      // Tried again below.
    }
    if (signal.aborted) return
    setHubState({ phase: 'lost' })
    await pause(retryDelay)
  }
}

/** Over as many connections as it takes; each continues where the last one ended. */
async function follow(signal: AbortSignal): Promise<void> {
  for (let delay = firstRetryDelay; !signal.aborted; delay = Math.min(delay * 2, retryDelay)) {
    try {
      await hearEvents(lastEventSeen(), {
        signal,
        onOpen: () => {
          // What failed while the server was away is read again.
          if (hubState().phase === 'lost') setHubState({ connections: hubState().connections + 1 })
          setHubState({ phase: 'live' })
        },
        onEvent: event => {
          delay = firstRetryDelay
          handleEvent(event)
        },
        onCursor: noteEvent,
      })
    } catch (error) {
      // Either the session ended, which `onSignedOut` reports, or the cursor is too old: read everything again.
      if (error instanceof Refusal) return
    }
    if (signal.aborted) return
    setHubState({ phase: 'lost' })
    await pause(delay)
  }
}
