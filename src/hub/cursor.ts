import type { EventRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/** A position in the events, for one reader who takes them in order. Only `advance` moves it. */
export interface EventCursor {
  /** Somebody has committed these events; none where the store does not know which. */
  onCommit(committed?: readonly EventRecord[]): void
  /** Whether there may be something to read. */
  isBehind(): boolean
  /** The next events, where `onCommit` brought them; empty where they must be read. */
  received(): readonly EventRecord[]
  read(): Promise<readonly EventRecord[]>
  advance(events: readonly EventRecord[]): void
}

export function createCursor(store: Store, start: number, page: number): EventCursor {
  let position = start
  let mustRead = true
  let buffered: readonly EventRecord[] = []
  return { onCommit, isBehind, received, read, advance }

  function onCommit(committed: readonly EventRecord[] = []) {
    buffered = [...buffered, ...committed]
    // Unknown events must be read; so must what a slow reader left behind, because the buffer stays small.
    if (committed.length === 0 || buffered.length > page) mustRead = true
  }

  function isBehind() {
    return mustRead || buffered.length > 0
  }

  function received() {
    const isNext = buffered.every((event, i) => event.id === position + 1 + i)
    if (!isNext) mustRead = true
    return mustRead ? [] : buffered
  }

  async function read() {
    // This read includes everything that was buffered so far.
    buffered = []
    mustRead = false
    try {
      const events = await store.read(view => view.events(position, page))
      if (events.length === page) mustRead = true
      return events
    } catch (error) {
      mustRead = true
      throw error
    }
  }

  function advance(events: readonly EventRecord[]) {
    position = events.at(-1)?.id ?? position
    if (buffered.length > 0) buffered = buffered.filter(event => event.id > position)
  }
}
