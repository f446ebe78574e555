import type { EventRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'

/** A place in the events, for one who reads them in order. It moves on only by `pass`. */
export interface Cursor {
  /** Somebody has committed: this, if the store could tell. */
  ring(committed?: readonly EventRecord[]): void
  /** Whether there may be something to read. */
  isBehind(): boolean
  /** What comes next and was heard, so that it need not be read. */
  heard(): readonly EventRecord[]
  read(): Promise<readonly EventRecord[]>
  pass(events: readonly EventRecord[]): void
}

export function createCursor(store: Store, start: number, page: number): Cursor {
  let position = start
  let mustRead = true
  let waiting: readonly EventRecord[] = []
  return { ring, isBehind, heard, read, pass }

  function ring(committed: readonly EventRecord[] = []) {
    waiting = [...waiting, ...committed]
    // What is not known must be read. So must what a slow reader left: nothing is piled up for it.
    if (committed.length === 0 || waiting.length > page) mustRead = true
  }

  function isBehind() {
    return mustRead || waiting.length > 0
  }

  function heard() {
    const inOrder = waiting.every((event, i) => event.id === position + 1 + i)
    if (!inOrder) mustRead = true
    return mustRead ? [] : waiting
  }

  async function read() {
    // What is read from here on includes all that was heard so far.
    waiting = []
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

  function pass(events: readonly EventRecord[]) {
    position = events.at(-1)?.id ?? position
    if (waiting.length > 0) waiting = waiting.filter(event => event.id > position)
  }
}
