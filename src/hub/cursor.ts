import { BeckonError } from '../protocol/index.ts'
import type { EventRecord } from '../store/records.ts'
import type { Store, View } from '../store/store.ts'

/** A position in the events, for one reader who takes them in order. Only `advance` and `skipGap` move it. */
export interface EventCursor {
  /** Somebody has committed these events; none where the store does not know which. */
  onCommit(committed?: readonly EventRecord[]): void
  /** Whether there may be something to read. */
  isBehind(): boolean
  /** The next events, where `onCommit` brought them; empty where they must be read. */
  received(): readonly EventRecord[]
  /** Fails with `cursor_gone` where events that were not read yet have been deleted. */
  read(): Promise<readonly EventRecord[]>
  advance(events: readonly EventRecord[]): void
  /** Continues behind the deleted events, or at the last one that there is; returns the new position. */
  skipGap(): Promise<number>
}

export interface CursorStart {
  at: number
  /** Reads whatever is left after the start; from there on a gap is a failure. */
  allowGaps?: boolean
  /** How many events are read at once. */
  page: number
}

export function createCursor(store: Store, { at, allowGaps = false, page }: CursorStart): EventCursor {
  let position = at
  // Behind this event, a gap is a failure.
  let strictFrom = allowGaps ? Number.POSITIVE_INFINITY : at
  let mustRead = true
  // In order; those before `taken` are behind us.
  let buffered: EventRecord[] = []
  let taken = 0
  return { onCommit, isBehind, received, read, advance, skipGap }

  function onCommit(committed: readonly EventRecord[] = []) {
    // Unknown events must be read; so must what a slow reader left behind, because the buffer stays small.
    if (committed.length === 0 || buffered.length + committed.length > page) mustRead = true
    if (mustRead) clearBuffer()
    else buffered.push(...committed)
  }

  function isBehind() {
    return mustRead || buffered.length > taken
  }

  function received() {
    if (mustRead) return []
    const next = buffered.slice(taken)
    if (next.every((event, i) => event.id === position + 1 + i)) return next
    mustRead = true
    return []
  }

  async function read() {
    // This read includes everything that was buffered so far.
    clearBuffer()
    mustRead = false
    try {
      const since = strictFrom === Number.POSITIVE_INFINITY ? position : Math.max(position, strictFrom)
      const allowGaps = since < strictFrom
      const { events, last } = await store.read(view => readEvents(view, { since, limit: page, allowGaps }))
      if (events.length === page) mustRead = true
      else if (allowGaps) strictFrom = last
      return events
    } catch (error) {
      mustRead = true
      throw error
    }
  }

  function advance(events: readonly EventRecord[]) {
    position = events.at(-1)?.id ?? position
    // A follower advances by one event at a time: going through the whole buffer for each would add up.
    while (taken < buffered.length && (buffered[taken] as EventRecord).id <= position) taken += 1
    if (taken === buffered.length) clearBuffer()
  }

  function clearBuffer() {
    buffered = []
    taken = 0
  }

  async function skipGap() {
    position = await store.read(async view => {
      const [deleted, last] = await Promise.all([view.deletedEvents(), view.lastEvent()])
      return Math.min(Math.max(position, deleted), last)
    })
    strictFrom = position
    mustRead = true
    return position
  }
}

interface PageOptions {
  since: number
  limit: number
  allowGaps: boolean
}

/** A page of events, and where the next one begins. Refused where some of those after the cursor were deleted. */
export async function readEvents(
  view: View,
  { since, limit, allowGaps }: PageOptions,
): Promise<{ events: EventRecord[]; last: number }> {
  if (allowGaps) {
    // Read first: what is deleted up to here was committed before, so that the page has all that is left of it.
    const deleted = await view.deletedEvents()
    const events = await view.events(since, limit)
    const last = events.at(-1)?.id ?? since
    return { events, last: events.length < limit ? Math.max(last, deleted) : last }
  }
  // In this order: what is deleted between the two is noticed, at worst without need.
  const [events, deleted] = await Promise.all([view.events(since, limit), view.deletedEvents()])
  if (since < deleted) throw cursorGone(since, deleted)
  if (events.length === 0) await refuseUnknown(view, since)
  return { events, last: events.at(-1)?.id ?? since }
}

/** The database is older than the cursor: it was restored, and will give the numbers up to there to other events. */
async function refuseUnknown(view: View, since: number): Promise<void> {
  const last = await view.lastEvent()
  if (since <= last) return
  throw new BeckonError(
    'cursor_gone',
    `There is no event ${since}: the last one is ${last}. An older database may have been restored. Read again what you follow, then continue with ${last}.`,
    { since, oldest: last },
  )
}

export function isCursorGone(error: unknown): boolean {
  return error instanceof BeckonError && error.code === 'cursor_gone'
}

function cursorGone(since: number, oldest: number): BeckonError {
  return new BeckonError(
    'cursor_gone',
    `Events after ${since} were deleted; ${oldest} is the oldest cursor that misses nothing. Read again what you follow, then continue with ${oldest} or later; 0 reads everything that is left.`,
    { since, oldest },
  )
}
