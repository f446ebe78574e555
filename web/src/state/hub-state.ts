import { useSyncExternalStore } from 'react'
import type { Event } from '../../../src/protocol/event.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import { Refusal } from '../api/call.ts'
import { hearEvents } from '../api/events.ts'
import { getRequest, listRequests } from '../api/requests.ts'
import { getRun, listRuns } from '../api/runs.ts'

/**
 * The page's copy of the hub. It reads the list once, together with the number of the last event, and follows the events
 * from there: it reads again whatever an event names. So it misses nothing, and derives nothing from an event alone.
 */
export interface HubState {
  /** `lost`: the connection is gone and the page is reconnecting; what it shows may be old. */
  readonly phase: 'loading' | 'live' | 'lost'
  /** The list was read at least once, so an empty list means that nothing waits. */
  readonly isLoaded: boolean
  /** Every pending request, and others that the person looked at. */
  readonly requests: ReadonlyMap<string, Request>
  readonly runs: ReadonlyMap<string, Run>
  /** There are more pending requests than the page lists. */
  readonly more: boolean
}

type EventListener = (event: Event) => void

const initial: HubState = { phase: 'loading', isLoaded: false, requests: new Map(), runs: new Map(), more: false }
const pageSize = 200
const maxListed = 2_000
const maxConcurrentReads = 6
const retryDelay = 2_000
const firstRetryDelay = 250
const frame = 16

let state: HubState = initial
let restartTimer: ReturnType<typeof setTimeout> | undefined
let lastEvent = 0
const subscribers = new Set<() => void>()
const eventListeners = new Set<EventListener>()
const staleIds = new Set<string>()
let activeReads = 0
let notifyTimer: ReturnType<typeof setTimeout> | undefined

export function useHubState(): HubState {
  return useSyncExternalStore(subscribe, () => state)
}

/** The same outside of a component. */
export function hubState(): HubState {
  return state
}

export function onEvent(listener: EventListener): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}

export function lastEventSeen(): number {
  return lastEvent
}

/** Adds what the caller read or received, such as the request that its answer settled. */
export function updateHubState(...records: (Request | Run)[]): void {
  const requests = new Map(state.requests)
  const runs = new Map(state.runs)
  for (const record of records) {
    if ('kind' in record) requests.set(record.id, newer(record, requests.get(record.id)))
    else runs.set(record.id, record)
  }
  setState({ requests, runs })
}

export function startFollowing(): () => void {
  setState(initial)
  const ended = new AbortController()
  void start(ended.signal)
  return () => {
    ended.abort()
    clearTimeout(restartTimer)
    staleIds.clear()
  }
}

async function start(signal: AbortSignal): Promise<void> {
  try {
    const { requests, cursor, more } = await listPending(signal)
    const runs = await listRuns(pageSize)
    if (signal.aborted) return
    setState({
      phase: 'live',
      isLoaded: true,
      requests: new Map([
        ...settledEntries(state.requests),
        ...requests.map(request => [request.id, request] as const),
      ]),
      runs: new Map([...state.runs, ...runs.map(run => [run.id, run] as const)]),
      more,
    })
    void follow(cursor, signal)
  } catch {
    if (signal.aborted) return
    setState({ phase: 'lost' })
    restartLater(signal)
  }
}

async function listPending(signal: AbortSignal) {
  const requests: Request[] = []
  let cursor: number | null = null
  let after: string | null | undefined
  while (after !== null && requests.length < maxListed) {
    const page = await listRequests(
      // Newest first: if there are too many to list, the oldest are left out.
      { status: 'pending', order: 'desc', limit: pageSize, ...(after === undefined ? {} : { after }) },
      signal,
    )
    requests.push(...page.requests)
    cursor ??= page.cursor
    after = page.next
  }
  return { requests, cursor: cursor ?? 0, more: after !== null }
}

/** Follows the events over as many connections as it takes; each continues where the last one ended. */
async function follow(since: number, signal: AbortSignal): Promise<void> {
  lastEvent = Math.max(lastEvent, since)
  for (let delay = firstRetryDelay; !signal.aborted; delay = Math.min(delay * 2, retryDelay)) {
    try {
      await hearEvents(lastEvent, {
        signal,
        onOpen: () => setState({ phase: 'live' }),
        onEvent: event => {
          delay = firstRetryDelay
          lastEvent = Math.max(lastEvent, event.id)
          handleEvent(event)
        },
        onCursor: cursor => {
          lastEvent = Math.max(lastEvent, cursor)
        },
      })
    } catch (error) {
      // Either the session ended, which `onSignedOut` reports, or the cursor is too old: read everything again.
      if (error instanceof Refusal && !signal.aborted) {
        setState({ phase: 'lost' })
        return restartLater(signal)
      }
    }
    if (signal.aborted) return
    setState({ phase: 'lost' })
    await new Promise(resolve => setTimeout(resolve, delay))
  }
}

function restartLater(signal: AbortSignal): void {
  clearTimeout(restartTimer)
  restartTimer = setTimeout(() => void start(signal), retryDelay)
}

function handleEvent(event: Event): void {
  for (const listener of eventListeners) listener(event)
  if (event.request !== null) staleIds.add(event.request)
  // A run waits as long as its requests do, so their events change it too.
  if (event.run !== null) staleIds.add(event.run)
  readStale()
}

function readStale(): void {
  for (const id of staleIds) {
    if (activeReads >= maxConcurrentReads) return
    staleIds.delete(id)
    activeReads++
    void read(id).finally(() => {
      activeReads--
      readStale()
    })
  }
}

async function read(id: string): Promise<void> {
  try {
    updateHubState(await (id.startsWith('run_') ? getRun(id) : getRequest(id)))
  } catch (error) {
    // Deleted in the meantime. After any other failure the page reconnects and reads everything.
    if (error instanceof Refusal && error.status === 404) remove(id)
  }
}

function remove(id: string): void {
  const requests = new Map(state.requests)
  const runs = new Map(state.runs)
  requests.delete(id)
  runs.delete(id)
  setState({ requests, runs })
}

/** Two reads may arrive in the wrong order, but a request only ever moves forward. */
function newer(request: Request, stored: Request | undefined): Request {
  return stored && stage(stored) > stage(request) ? stored : request
}

function stage({ settledAt, deliveredAt, usedAt }: Request): number {
  return [settledAt, deliveredAt, usedAt].filter(Boolean).length
}

function settledEntries(requests: ReadonlyMap<string, Request>): [string, Request][] {
  return [...requests].filter(([, { status }]) => status !== 'pending')
}

function setState(change: Partial<HubState>): void {
  state = { ...state, ...change }
  // Many events in a row render once. A timer, not an animation frame: a hidden page has no frames, but its title counts.
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
