import type { Event, EventsOptions, FollowOptions, HubApi } from '../protocol/index.ts'
import type { Store } from '../store/store.ts'
import { createCursor, type EventCursor, isCursorGone, readEvents } from './cursor.ts'
import { maxPageSize, pageSize } from './page-size.ts'
import type { EventPage } from './shared-hub.ts'
import { toEvent } from './to-protocol.ts'

const followPage = 500

export interface HubEvents extends Pick<HubApi, 'events' | 'follow'> {
  /** The same as `events`, with the cursor for the next page. */
  eventPage(options?: EventsOptions): Promise<EventPage>
  close(): void
}

/**
 * Pages and streams of events. Each follower replays the table from its own cursor; nothing is buffered for it. The cursor
 * 0 stands for the beginning of what is left, so that a first reader is never refused.
 */
export function createEvents(store: Store): HubEvents {
  const followers = new Set<AbortController>()
  return { events, eventPage, follow, close }

  async function events(options?: EventsOptions) {
    return (await eventPage(options)).events
  }

  async function eventPage({ since = 0, limit = maxPageSize, allowGaps = since === 0 }: EventsOptions = {}) {
    const options = { since, limit: pageSize(limit), allowGaps }
    const { events, last } = await store.read(view => readEvents(view, options))
    return { events: events.map(toEvent), last }
  }

  async function* follow({ since, signal, onReady, onGap }: FollowOptions = {}): AsyncGenerator<Event> {
    const closing = new AbortController()
    const stopped = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    let news = Promise.withResolvers<void>()
    followers.add(closing)
    const wake = AbortSignal.any([stopped, store.lost])
    const onWake = () => news.resolve()
    wake.addEventListener('abort', onWake, { once: true })
    let cursor: EventCursor | null = null
    // Watches before the first read, so that no commit falls between the two.
    const watch = await store.watch(committed => {
      cursor?.onCommit(committed)
      news.resolve()
    })
    try {
      const at = since ?? (await store.read(view => view.lastEvent()))
      cursor = createCursor(store, { at, allowGaps: since === 0, page: followPage })
      onReady?.(at)
      while (!stopped.aborted) {
        const current = news
        const received = cursor.received()
        const events = received.length > 0 ? received : await readOrSkip(cursor, onGap)
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
      // A signal with a listener stays in memory as long as the store.
      wake.removeEventListener('abort', onWake)
      watch.stop()
      followers.delete(closing)
    }
  }

  function close() {
    for (const follower of followers) follower.abort()
  }
}

async function readOrSkip(cursor: EventCursor, onGap: FollowOptions['onGap']) {
  try {
    return await cursor.read()
  } catch (error) {
    if (!onGap || !isCursorGone(error)) throw error
    onGap(await cursor.skipGap())
    return []
  }
}
