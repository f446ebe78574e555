import type { Event, FollowOptions, HubApi } from '../protocol/index.ts'
import type { Store } from '../store/store.ts'
import { createCursor, type EventCursor } from './cursor.ts'
import { maxPageSize, pageSize } from './page-size.ts'
import { toEvent } from './to-protocol.ts'

const followPage = 500

/** Pages and streams of events. Each follower replays the table from its own cursor; nothing is buffered for it. */
export function createEvents(store: Store): Pick<HubApi, 'events' | 'follow'> & { close(): void } {
  const followers = new Set<AbortController>()
  return { events, follow, close }

  async function events({ since = 0, limit = maxPageSize }: { since?: number; limit?: number } = {}) {
    return (await store.read(view => view.events(since, pageSize(limit)))).map(toEvent)
  }

  async function* follow({ since, signal, onReady }: FollowOptions = {}): AsyncGenerator<Event> {
    const closing = new AbortController()
    const stopped = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    let news = Promise.withResolvers<void>()
    followers.add(closing)
    const wake = AbortSignal.any([stopped, store.lost])
    wake.addEventListener('abort', () => news.resolve(), { once: true })
    let cursor: EventCursor | null = null
    // Watches before the first read, so that no commit falls between the two.
    const watch = await store.watch(committed => {
      cursor?.onCommit(committed)
      news.resolve()
    })
    try {
      const start = since ?? (await store.read(view => view.lastEvent()))
      cursor = createCursor(store, start, followPage)
      onReady?.(start)
      while (!stopped.aborted) {
        const current = news
        const received = cursor.received()
        const events = received.length > 0 ? received : await cursor.read()
        for (const event of events) {
          if (stopped.aborted) return
          cursor.advance([event])
          yield toEvent(event)
        }
        if (cursor.isBehind()) continue
        await current.promise
        if (news === current) news = Promise.withResolvers<void>()
      }
    } finally {
      watch.stop()
      followers.delete(closing)
    }
  }

  function close() {
    for (const follower of followers) follower.abort()
  }
}
