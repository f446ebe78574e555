import { useSyncExternalStore } from 'react'
import type { Event } from '../../../src/protocol/event.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import { Refusal } from '../api/call.ts'
import { getRequest } from '../api/requests.ts'
import { getRun } from '../api/runs.ts'
import { throttle } from '../browser/throttle.ts'

/**
 * The page's copy of what it shows whole: the requests that the person looked at, and the runs. It follows the events and
 * reads again whatever of this an event names, so it misses nothing and derives nothing from an event alone. The rows of
 * the list are in `inbox.ts`.
 */
export interface HubState {
  /** `lost`: the connection is gone and the page is reconnecting; what it shows may be old. */
  readonly phase: 'loading' | 'live' | 'lost'
  /** The inbox was read at least once, so an empty list means that nothing waits. */
  readonly isLoaded: boolean
  /** The requests that the person looked at. */
  readonly requests: ReadonlyMap<string, Request>
  readonly runs: ReadonlyMap<string, Run>
  /** How often the page has connected. Whatever could not be read is read again when this changes. */
  readonly connections: number
}

type EventListener = (event: Event) => void

const initial: HubState = { phase: 'loading', isLoaded: false, requests: new Map(), runs: new Map(), connections: 0 }
const maxConcurrentReads = 6
const frame = 16
/** A run that asks a thousand times is not read a thousand times. */
const betweenRunReads = 1_000

let state: HubState = initial
let lastEvent = 0
const subscribers = new Set<() => void>()
const eventListeners = new Set<EventListener>()
const staleRequests = new Set<string>()
const staleRuns = new Set<string>()
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

export function noteEvent(id: number): void {
  lastEvent = Math.max(lastEvent, id)
}

/** Adds what the caller read or received, such as the request that its answer settled. */
export function updateHubState(...records: (Request | Run)[]): void {
  const requests = new Map(state.requests)
  const runs = new Map(state.runs)
  for (const record of records) {
    if ('kind' in record) requests.set(record.id, newer(record, requests.get(record.id)))
    else runs.set(record.id, record)
  }
  setHubState({ requests, runs })
}

export function handleEvent(event: Event): void {
  noteEvent(event.id)
  for (const listener of eventListeners) listener(event)
  if (event.request !== null && isShown(event.request, event.run)) staleRequests.add(event.request)
  readStale(staleRequests)
  // A run waits as long as its requests do, so their events change it too.
  if (event.run !== null) {
    staleRuns.add(event.run)
    readStaleRuns()
  }
}

function isShown(id: string, run: string | null): boolean {
  return state.requests.has(id) || (run !== null && watchedRuns.has(run))
}

const watchedRuns = new Map<string, number>()

/** While a run is shown, what it asks is read, too. */
export function watchRun(run: string): () => void {
  watchedRuns.set(run, (watchedRuns.get(run) ?? 0) + 1)
  return () => {
    const left = (watchedRuns.get(run) ?? 1) - 1
    if (left > 0) watchedRuns.set(run, left)
    else watchedRuns.delete(run)
  }
}

/** After a gap in the events, everything that can still change is read again. */
export function rereadOpen(): void {
  for (const { id, status } of state.requests.values()) if (status === 'pending') staleRequests.add(id)
  readStale(staleRequests)
}

export function forgetHubState(): void {
  staleRequests.clear()
  staleRuns.clear()
  setHubState(initial)
}

export function setHubState(change: Partial<HubState>): void {
  state = { ...state, ...change }
  // Many events in a row render once. A timer, not an animation frame: a hidden page has no frames, but its title counts.
  if (notifyTimer !== undefined) return
  notifyTimer = setTimeout(() => {
    notifyTimer = undefined
    for (const notify of subscribers) notify()
  }, frame)
}

const readStaleRuns = throttle(
  () => readStale(staleRuns),
  () => betweenRunReads,
)

function readStale(ids: Set<string>): void {
  for (const id of ids) {
    if (activeReads >= maxConcurrentReads) return
    ids.delete(id)
    activeReads++
    void read(id).finally(() => {
      activeReads--
      readStale(staleRequests)
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
  setHubState({ requests, runs })
}

/** Two reads may arrive in the wrong order, but a request only ever moves forward. */
function newer(request: Request, stored: Request | undefined): Request {
  return stored && stage(stored) > stage(request) ? stored : request
}

function stage({ settledAt, deliveredAt, usedAt, messages }: Request): number {
  return [settledAt, deliveredAt, usedAt].filter(Boolean).length * 1_000 + messages.length
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}
