import { setTimeout as delay } from 'node:timers/promises'
import { BeckonError } from '../protocol/errors.ts'
import type { Event } from '../protocol/event.ts'
import type { HubApi } from '../protocol/hub.ts'

const retryAfter = 1_000

/**
 * Calls `onEvent` once at the start, with null, and after each event of a run, one call at a time, until the signal
 * aborts. When the hub was unreachable, it starts over; it throws when the database is gone for good.
 */
export async function followRun(
  hub: Pick<HubApi, 'follow'>,
  run: string,
  signal: AbortSignal,
  onEvent: (event: Event | null) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const started = Promise.withResolvers<void>()
    let first: Promise<void> = Promise.resolve()
    // Called once every later event is certain to arrive: the first call then sees all earlier changes.
    const onReady = () => {
      first = onEvent(null)
      first.then(started.resolve, started.resolve)
    }
    try {
      for await (const event of hub.follow({ signal, onReady })) {
        await started.promise
        if (event.run === run) await onEvent(event)
      }
    } catch (error) {
      if (error instanceof BeckonError && error.code === 'replaced') throw error
      // Starts over below.
    }
    await first.catch(() => {})
    await delay(retryAfter, null, { signal }).catch(() => {})
  }
}
