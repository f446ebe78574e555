import { BeckonError } from '../protocol/index.ts'
import type { Store } from '../store/store.ts'

export interface SearchIndexing {
  start(): void
  close(): Promise<void>
}

// Short commands are over by then.
const firstLook = 5_000
const nextLook = 5_000

/** Builds the index of searches in the background, as long as a hub is open and nobody else does. Nobody waits for it. */
export function createSearchIndexing(store: Store): SearchIndexing {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let working: Promise<void> | null = null

  return { start, close }

  function start() {
    schedule(firstLook)
  }

  function schedule(delay: number) {
    timer = setTimeout(() => {
      working = work().finally(() => {
        working = null
      })
    }, delay).unref()
  }

  async function work() {
    const { signal } = stopping
    try {
      const { buildSearchIndex } = await import('../store/search/build-index.ts')
      await buildSearchIndex(store, { signal })
    } catch (error) {
      // While the database is unavailable, searches read more.
      if (store.lost.aborted || (error instanceof BeckonError && error.code === 'closed')) return
    }
    if (!signal.aborted) schedule(nextLook)
  }

  async function close() {
    stopping.abort()
    if (timer) clearTimeout(timer)
    await working
  }
}
