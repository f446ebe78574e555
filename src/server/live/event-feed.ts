import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, HubApi } from '../../protocol/index.ts'

/** An event in the bytes that streams send: encoded once for all of them, and not at all where there is no stream. */
export class EncodedEvent {
  readonly event: Event
  #bytes: Buffer | null = null

  constructor(event: Event) {
    this.event = event
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(`id: ${this.event.id}\ndata: ${JSON.stringify(this.event)}\n\n`)
    return this.#bytes
  }
}

export interface Feed {
  /** Resolves when everything from here on is published. */
  ready(): Promise<void>
  isReady(): boolean
  /** The last event that was published. */
  last(): number
  /** Whether published events are kept in memory for streams that are behind. */
  keep(isWanted: boolean): void
  /** The events after the cursor, from memory; null where they are not all there. */
  after(cursor: number): readonly EncodedEvent[] | null
  listen(listener: (events: readonly EncodedEvent[]) => void): void
  /** Events were deleted before they could be published. */
  onGap(listener: () => void): void
  close(): void
}

// At most, whichever is less.
const mostKept = 8_192
const mostBytes = 8 * 1024 * 1024
const retryAfter = 500

/** The one follower of the hub, shared by all streams and long polls. It begins with the first of them. */
export function createFeed(hub: HubApi): Feed {
  const over = new AbortController()
  const listeners: ((events: readonly EncodedEvent[]) => void)[] = []
  const gapListeners: (() => void)[] = []
  const begun = Promise.withResolvers<void>()
  let recent: EncodedEvent[] = []
  let bytes = 0
  // All events after this one are in `recent`.
  let keptSince = 0
  let last = 0
  let fresh: EncodedEvent[] = []
  let isFollowing = false
  let isReady = false
  let isKept = false
  return {
    ready,
    isReady: () => isReady,
    last: () => last,
    keep,
    after,
    listen: listener => listeners.push(listener),
    onGap: listener => gapListeners.push(listener),
    close: () => over.abort(),
  }

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
        const onGap = (cursor: number) => {
          since = cursor
          skipTo(cursor)
        }
        const options = { signal: over.signal, onReady, onGap, ...(since === undefined ? {} : { since }) }
        for await (const event of hub.follow(options)) {
          take(event)
          since = event.id
        }
      } catch {
        // The database is away: listeners continue from where they were when it is back.
        await sleep(retryAfter, null, { ref: false })
      }
    }
  }

  function begin(cursor: number): number {
    last = cursor
    keptSince = cursor
    isReady = true
    begun.resolve()
    return cursor
  }

  /** Nobody can catch up from memory across the gap. */
  function skipTo(cursor: number) {
    recent = []
    bytes = 0
    keptSince = cursor
    last = Math.max(last, cursor)
    for (const listener of gapListeners) listener()
  }

  /** Events of one turn of the event loop are published together. */
  function take(event: Event) {
    if (fresh.length === 0) setImmediate(publish)
    fresh.push(new EncodedEvent(event))
  }

  function publish() {
    const events = fresh
    fresh = []
    last = events.at(-1)?.event.id ?? last
    if (isKept) remember(events)
    else keptSince = last
    for (const listener of listeners) listener(events)
  }

  function keep(isWanted: boolean) {
    isKept = isWanted
    if (isWanted) return
    recent = []
    bytes = 0
    keptSince = last
  }

  function remember(events: readonly EncodedEvent[]) {
    for (const encoded of events) {
      recent.push(encoded)
      bytes += encoded.bytes.length
    }
    if (recent.length > mostKept || bytes > mostBytes) forgetOldest()
  }

  /** Down to half, so that this is not done for every event. */
  function forgetOldest() {
    let from = 0
    while (from < recent.length && (recent.length - from > mostKept / 2 || bytes > mostBytes / 2)) {
      const oldest = recent[from] as EncodedEvent
      bytes -= oldest.bytes.length
      keptSince = oldest.event.id
      from += 1
    }
    recent = recent.slice(from)
  }

  function after(cursor: number): readonly EncodedEvent[] | null {
    if (cursor < keptSince) return null
    let from = recent.length
    while (from > 0 && (recent[from - 1] as EncodedEvent).event.id > cursor) from -= 1
    return recent.slice(from)
  }
}
