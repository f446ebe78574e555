import { setTimeout as delay } from 'node:timers/promises'
import type { Event } from '../protocol/event.ts'
import type { HubApi } from '../protocol/hub.ts'

const again = 1_000

/**
 * Looks at once, and after everything that happens to a run, one look after the other, until the signal. A hub that was
 * away is looked at when it is back.
 */
export async function heedRun(
  hub: Pick<HubApi, 'follow'>,
  run: string,
  signal: AbortSignal,
  look: (event: Event | null) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    // Once all is told that happens from here on: what happened before is seen by this look.
    const ready = Promise.withResolvers<void>()
    let first: Promise<void> = Promise.resolve()
    const onReady = () => {
      first = look(null)
      first.then(ready.resolve, ready.resolve)
    }
    try {
      for await (const event of hub.follow({ signal, onReady })) {
        await ready.promise
        if (event.run === run) await look(event)
      }
    } catch {
      // It is looked at again.
    }
    await first.catch(() => {})
    await delay(again, null, { signal }).catch(() => {})
  }
}
