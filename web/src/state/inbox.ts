import { useSyncExternalStore } from 'react'
import { settlingEvents } from '../../../src/protocol/event-types.ts'
import type { Inbox, InboxRow } from '../../../src/protocol/inbox.ts'
import type { Status } from '../../../src/protocol/status.ts'
import { readInbox } from '../api/inbox.ts'
import { throttle } from '../browser/throttle.ts'
import { onEvent } from './hub-state.ts'
import { currentView, firstRows, type View, viewQuery } from './view.ts'

/**
 * The rows of the list, and the counts beside it. The hub sorts, counts, folds and finds; the page reads the first rows
 * again after events, at most once in a while, and further ones as the person scrolls.
 */
export interface InboxState extends Pick<Inbox, 'rows' | 'next' | 'found' | 'counts' | 'projects' | 'agents'> {
  readonly view: View
  /** The rows are those of the view. */
  readonly isLoaded: boolean
  /** What was settled since the page was opened, by id. */
  readonly settled: ReadonlyMap<string, Status>
  /** What this person snoozed or woke a moment ago, which the rows may not know yet. */
  readonly hidden: ReadonlySet<string>
}

const furtherRows = 100
/** Twice as long as the last read took, so that a slow line has room for the person's own requests. */
const shortestPause = 400
const longestPause = 10_000

let state: InboxState = {
  view: currentView(),
  isLoaded: false,
  rows: [],
  next: null,
  found: 0,
  counts: { urgent: 0, waiting: 0, snoozed: 0 },
  projects: [],
  agents: [],
  settled: new Map(),
  hidden: new Set(),
}
let lastRead = 0
let reads = 0
let lastShown = 0
let isReadingMore = false
const subscribers = new Set<() => void>()

export function useInbox(): InboxState {
  return useSyncExternalStore(subscribe, () => state)
}

export function inboxState(): InboxState {
  return state
}

/** Shows another view. Its rows are read at once; the counts stay as they are until then. */
export function showView(view: View): void {
  if (viewQuery(view) === viewQuery(state.view)) return
  setState({ view, isLoaded: false, rows: [], next: null, found: 0, hidden: new Set() })
  void refresh().catch(() => {})
}

/** Reads the first rows of the view; further ones that were read before stay below them. */
export async function refresh(): Promise<Inbox> {
  const { view } = state
  const number = ++reads
  const from = performance.now()
  const read = await (takePreloaded(view) ?? readInbox({ ...view, limit: firstRows }))
  lastRead = performance.now() - from
  // Two reads may arrive in the wrong order.
  if (view !== state.view || number < lastShown) return read
  lastShown = number
  const { cursor: _, ...fresh } = read
  const rows = fresh.rows.filter(isStillListed)
  setState({ ...fresh, ...withRowsBelow({ ...fresh, rows }), isLoaded: true })
  return read
}

/** For changes that no event tells of. */
export const refreshSoon = throttle(
  () => void refresh().catch(() => {}),
  () => Math.min(longestPause, Math.max(shortestPause, lastRead * 2)),
)

export async function readMore(): Promise<void> {
  const { view, next } = state
  if (next === null || isReadingMore) return
  isReadingMore = true
  try {
    const further = await readInbox({ ...view, after: next, limit: furtherRows })
    if (view !== state.view || next !== state.next) return
    const known = new Set(state.rows.map(({ id }) => id))
    const rows = further.rows.filter(row => !known.has(row.id) && isStillListed(row))
    setState({ rows: [...state.rows, ...rows], next: further.next })
  } catch {
    // The person scrolls on, or the page reconnects.
  } finally {
    isReadingMore = false
  }
}

/** Takes rows out before the hub has confirmed it. */
export function hideRows(ids: readonly string[]): void {
  const hidden = new Set([...state.hidden, ...ids])
  setState({ hidden, rows: state.rows.filter(({ id }) => !hidden.has(id)) })
}

/** They were not snoozed after all, or are no longer. */
export function showRows(ids: readonly string[]): void {
  setState({ hidden: new Set([...state.hidden].filter(id => !ids.includes(id))) })
  refreshSoon()
}

let preloaded: { query: string; inbox: Promise<Inbox> } | null = null

/** Begins to read before there is anything to show it on. */
export function preloadInbox(): Promise<Inbox> {
  const view = currentView()
  preloaded = { query: viewQuery(view), inbox: readInbox({ ...view, limit: firstRows }) }
  return preloaded.inbox
}

function takePreloaded(view: View): Promise<Inbox> | null {
  const taken = preloaded
  preloaded = null
  return taken?.query === viewQuery(view) ? taken.inbox : null
}

/** A row that is not among the first any more was pushed down, unless it was settled. */
function withRowsBelow(fresh: Pick<Inbox, 'rows' | 'next'>): Pick<Inbox, 'rows' | 'next'> {
  if (fresh.next === null) return fresh
  const first = new Set(fresh.rows.map(({ id }) => id))
  const below = state.rows.filter(row => !first.has(row.id) && isStillListed(row))
  if (state.rows.length <= firstRows || below.length === 0) return fresh
  return { rows: [...fresh.rows, ...below], next: state.next }
}

function isStillListed({ id }: InboxRow): boolean {
  return !state.settled.has(id) && !state.hidden.has(id)
}

onEvent(({ type, request }) => {
  if (request === null) return
  if (settlingEvents.has(type)) {
    const status = type.slice('request.'.length) as Status
    const rows = state.rows.filter((row: InboxRow) => row.id !== request)
    setState({ settled: new Map(state.settled).set(request, status), rows })
  }
  if (type !== 'request.delivered' && type !== 'request.used') refreshSoon()
})

let notifyTimer: ReturnType<typeof setTimeout> | undefined
const frame = 16

function setState(change: Partial<InboxState>): void {
  state = { ...state, ...change }
  // A flood of events renders once. A timer, not an animation frame: a hidden page has no frames, but its title counts.
  if (notifyTimer !== undefined) return
  notifyTimer = setTimeout(() => {
    notifyTimer = undefined
    for (const notify of subscribers) notify()
  }, frame)
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}
