import { useSyncExternalStore } from 'react'
import type { Event } from '../../src/protocol/event.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { Run } from '../../src/protocol/run.ts'
import { Refusal } from './api/call.ts'
import { hearEvents } from './api/events.ts'
import { getRequest, listRequests } from './api/requests.ts'
import { getRun, listRuns } from './api/runs.ts'

/**
 * What this page knows of the hub. It reads the list once, with the number of the last event, and follows the events from
 * there: whatever an event names is read again. So nothing falls in between, and nothing is ever guessed from an event.
 */
export interface Known {
  /** `lost`: the connection is gone and is being tried again; what is shown may be old. */
  readonly phase: 'loading' | 'live' | 'lost'
  /** The list was read at least once: only then is an empty one empty. */
  readonly isLoaded: boolean
  /** Everything that waits, and whatever else was looked at. */
  readonly requests: ReadonlyMap<string, Request>
  readonly runs: ReadonlyMap<string, Run>
  /** Of those that wait there are more than are listed here. */
  readonly more: boolean
}

type EventListener = (event: Event) => void

const nothing: Known = { phase: 'loading', isLoaded: false, requests: new Map(), runs: new Map(), more: false }
const pageSize = 200
const mostListed = 2_000
const mostAtOnce = 6
const tryAgain = 2_000
const firstPause = 250
const oneFrame = 16

let known: Known = nothing
let retry: ReturnType<typeof setTimeout> | undefined
let lastEvent = 0
const watchers = new Set<() => void>()
const eventListeners = new Set<EventListener>()
const looks = new Set<string>()
let looking = 0
let telling: ReturnType<typeof setTimeout> | undefined

export function useKnown(): Known {
  return useSyncExternalStore(watch, () => known)
}

export function onEvent(listener: EventListener): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}

export function lastEventSeen(): number {
  return lastEvent
}

/** Puts in what the caller has read or was given, such as the request that its answer settled. */
export function learn(...found: (Request | Run)[]): void {
  const requests = new Map(known.requests)
  const runs = new Map(known.runs)
  for (const one of found) {
    if ('kind' in one) requests.set(one.id, newer(one, requests.get(one.id)))
    else runs.set(one.id, one)
  }
  change({ requests, runs })
}

export function startFollowing(): () => void {
  change(nothing)
  const ended = new AbortController()
  void begin(ended.signal)
  return () => {
    ended.abort()
    clearTimeout(retry)
    looks.clear()
  }
}

async function begin(signal: AbortSignal): Promise<void> {
  try {
    const { requests, cursor, more } = await listAll(signal)
    const runs = await listRuns(pageSize)
    if (signal.aborted) return
    change({
      phase: 'live',
      isLoaded: true,
      requests: new Map([...settledOf(known.requests), ...requests.map(request => [request.id, request] as const)]),
      runs: new Map([...known.runs, ...runs.map(run => [run.id, run] as const)]),
      more,
    })
    void follow(cursor, signal)
  } catch {
    if (signal.aborted) return
    change({ phase: 'lost' })
    startAgain(signal)
  }
}

async function listAll(signal: AbortSignal) {
  const requests: Request[] = []
  let cursor: number | null = null
  let after: string | null | undefined
  while (after !== null && requests.length < mostListed) {
    const page = await listRequests(
      // The newest, where there are too many to list.
      { status: 'pending', order: 'desc', limit: pageSize, ...(after === undefined ? {} : { after }) },
      signal,
    )
    requests.push(...page.requests)
    cursor ??= page.cursor
    after = page.next
  }
  return { requests, cursor: cursor ?? 0, more: after !== null }
}

/** Over as many connections as it takes: each goes on where the last one ended. */
async function follow(since: number, signal: AbortSignal): Promise<void> {
  lastEvent = Math.max(lastEvent, since)
  for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, tryAgain)) {
    try {
      await hearEvents(lastEvent, {
        signal,
        onOpen: () => change({ phase: 'live' }),
        onEvent: event => {
          pause = firstPause
          lastEvent = Math.max(lastEvent, event.id)
          hear(event)
        },
      })
    } catch (error) {
      // Either nobody is signed in, which every answer tells, or all is read anew.
      if (error instanceof Refusal && !signal.aborted) {
        change({ phase: 'lost' })
        return startAgain(signal)
      }
    }
    if (signal.aborted) return
    change({ phase: 'lost' })
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}

function startAgain(signal: AbortSignal): void {
  clearTimeout(retry)
  retry = setTimeout(() => void begin(signal), tryAgain)
}

function hear(event: Event): void {
  for (const listener of eventListeners) listener(event)
  if (event.request !== null) looks.add(event.request)
  // A run's waiting follows from its requests.
  if (event.run !== null) looks.add(event.run)
  lookUp()
}

function lookUp(): void {
  for (const id of looks) {
    if (looking >= mostAtOnce) return
    looks.delete(id)
    looking++
    void read(id).finally(() => {
      looking--
      lookUp()
    })
  }
}

async function read(id: string): Promise<void> {
  try {
    learn(await (id.startsWith('run_') ? getRun(id) : getRequest(id)))
  } catch (error) {
    // Gone meanwhile. What else fails is found again when the connection is.
    if (error instanceof Refusal && error.status === 404) forget(id)
  }
}

function forget(id: string): void {
  const requests = new Map(known.requests)
  const runs = new Map(known.runs)
  requests.delete(id)
  runs.delete(id)
  change({ requests, runs })
}

/** Two reads may come back in the wrong order; a request only ever goes forward. */
function newer(one: Request, other: Request | undefined): Request {
  return other && stage(other) > stage(one) ? other : one
}

function stage({ settledAt, deliveredAt, usedAt }: Request): number {
  return [settledAt, deliveredAt, usedAt].filter(Boolean).length
}

function settledOf(requests: ReadonlyMap<string, Request>): [string, Request][] {
  return [...requests].filter(([, { status }]) => status !== 'pending')
}

function change(to: Partial<Known>): void {
  known = { ...known, ...to }
  // Many events at once are one change on the screen. No animation frame: there is none in a hidden page, whose title
  // is looked at all the same.
  if (telling !== undefined) return
  telling = setTimeout(() => {
    telling = undefined
    for (const tell of watchers) tell()
  }, oneFrame)
}

function watch(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}
