import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, HubApi } from '../protocol/index.ts'

export interface FedEvent {
  event: Event
  /** As every stream gets it; made once for all of them. */
  bytes: Buffer
}

export interface Feed {
  /** Resolves when everything from here on is told. */
  ready(): Promise<void>
  /** The last event that was told. */
  last(): number
  /** What came after the cursor, as far as it is at hand; null when that was too long ago. */
  after(cursor: number): readonly FedEvent[] | null
  listen(listener: (events: readonly FedEvent[]) => void): void
  close(): void
}

// At most, whichever is less.
const mostKept = 8_192
const mostBytes = 8 * 1024 * 1024
const tryAgainAfter = 500

/** The one follower of the hub that all streams and all who wait share. It begins with the first of them. */
export function createFeed(hub: HubApi): Feed {
  const over = new AbortController()
  const listeners: ((events: readonly FedEvent[]) => void)[] = []
  const begun = Promise.withResolvers<void>()
  let recent: FedEvent[] = []
  let bytes = 0
  // All events after this one are in `recent`.
  let keptSince = 0
  let last = 0
  let fresh: FedEvent[] = []
  let isFollowing = false
  return { ready, last: () => last, after, listen: listener => listeners.push(listener), close: () => over.abort() }

  function ready(): Promise<void> {
    if (!isFollowing) follow()
    return begun.promise
  }

  async function follow() {
    isFollowing = true
    let since: number | undefined
    while (!over.signal.aborted) {
      try {
        const onReady = (cursor: number) => {
          since ??= begin(cursor)
        }
        const options = { signal: over.signal, onReady, ...(since === undefined ? {} : { since }) }
        for await (const event of hub.follow(options)) {
          take(event)
          since = event.id
        }
      } catch {
        // The database is away: those who listen go on when it is back, from where they were.
        await sleep(tryAgainAfter, null, { ref: false })
      }
    }
  }

  function begin(cursor: number): number {
    last = cursor
    keptSince = cursor
    begun.resolve()
    return cursor
  }

  /** Those of one turn of the event loop are told together. */
  function take(event: Event) {
    if (fresh.length === 0) setImmediate(tell)
    fresh.push({ event, bytes: Buffer.from(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`) })
  }

  function tell() {
    const events = fresh
    fresh = []
    for (const fed of events) {
      recent.push(fed)
      bytes += fed.bytes.length
    }
    last = events.at(-1)?.event.id ?? last
    if (recent.length > mostKept || bytes > mostBytes) forgetOldest()
    for (const listener of listeners) listener(events)
  }

  /** Down to half, so that it is not done for every event. */
  function forgetOldest() {
    let from = 0
    while (from < recent.length && (recent.length - from > mostKept / 2 || bytes > mostBytes / 2)) {
      const oldest = recent[from] as FedEvent
      bytes -= oldest.bytes.length
      keptSince = oldest.event.id
      from += 1
    }
    recent = recent.slice(from)
  }

  function after(cursor: number): readonly FedEvent[] | null {
    if (cursor < keptSince) return null
    let from = recent.length
    while (from > 0 && (recent[from - 1] as FedEvent).event.id > cursor) from -= 1
    return recent.slice(from)
  }
}
