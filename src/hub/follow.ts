import type { Event, FollowOptions, HubApi } from '../protocol/index.ts'
import type { Store } from '../store/store.ts'
import { type Cursor, createCursor } from './cursor.ts'
import { showEvent } from './to-protocol.ts'

const page = 500

/** Streams of events. Each follower has its own cursor and replays the table from there; nothing is kept for it. */
export function createFollowing(store: Store): Pick<HubApi, 'follow'> & { close(): void } {
  const open = new Set<AbortController>()
  return { follow, close }

  function close() {
    for (const follower of open) follower.abort()
  }

  async function* follow({ since, signal, onReady }: FollowOptions = {}): AsyncGenerator<Event> {
    const closing = new AbortController()
    const stopped = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    let rung = Promise.withResolvers<void>()
    open.add(closing)
    stopped.addEventListener('abort', () => rung.resolve(), { once: true })
    // Before the first look, so that nothing falls between the look and the watch.
    let cursor: Cursor | null = null
    const watch = await store.watch(committed => {
      if (cursor) cursor.ring(committed)
      rung.resolve()
    })
    try {
      const start = since ?? (await store.read(view => view.lastEvent()))
      cursor = createCursor(store, start, page)
      onReady?.(start)
      while (!stopped.aborted) {
        const bell = rung
        const heard = cursor.heard()
        const events = heard.length > 0 ? heard : await cursor.read()
        for (const event of events) {
          if (stopped.aborted) return
          cursor.pass([event])
          yield showEvent(event)
        }
        if (cursor.isBehind()) continue
        await bell.promise
        if (rung === bell) rung = Promise.withResolvers<void>()
      }
    } finally {
      watch.stop()
      open.delete(closing)
    }
  }
}
