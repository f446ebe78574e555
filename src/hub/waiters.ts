import { setImmediate, setTimeout } from 'node:timers/promises'
import { BeckonError, type Request, settlingEvents, type WaitOptions } from '../protocol/index.ts'
import type { EventRecord } from '../store/records.ts'
import type { Store, Watch } from '../store/store.ts'
import { createCursor, type EventCursor, isCursorGone } from './cursor.ts'
import { unheardOf } from './messages.ts'
import { notFound } from './not-found.ts'
import { toRequest } from './to-protocol.ts'

interface Waiter {
  /** Also wants to know of a message that the asker did not take yet. */
  orMessage: boolean
  resolve(request: Request): void
  reject(error: unknown): void
}

interface Limits {
  timeout: number | undefined
  signal: AbortSignal | undefined
  orMessage: boolean
}

/** Resolves after that many milliseconds, and rejects at the signal. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<null>

export interface Waiters {
  wait(id: string, options?: WaitOptions): Promise<Request>
  /** Resolves everybody who waits for this request, which is settled and committed. */
  resolve(request: Request): void
  close(): void
}

const page = 1_000
const fewWaiters = 4
const retryAfter = 500
// The longest delay of a timer in Node.
const forever = 2 ** 31 - 1

/**
 * Everybody in this process who waits for a request. One cursor follows the events for all of them; a waiter is only a
 * promise in a map, so that a hundred thousand can wait. `onEvents` gets every page of events.
 */
export function createWaiters(
  store: Store,
  onEvents: (events: readonly EventRecord[]) => void,
  sleep: Sleep = (ms, signal) => setTimeout(ms, null, { signal }),
): Waiters {
  const waiting = new Map<string, Waiter | Waiter[]>()
  let watch: Promise<Watch> | null = null
  let catchingUp = false
  let closed = false
  store.lost.addEventListener('abort', () => rejectAll(store.lost.reason), { once: true })

  return { wait, resolve, close }

  function wait(id: string, { for: timeout, signal, orMessage = false }: WaitOptions = {}): Promise<Request> {
    if (closed) return Promise.reject(new BeckonError('closed', 'The hub was closed.'))
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (timeout !== undefined || signal) return waitWithLimit(id, { timeout, signal, orMessage })
    return new Promise<Request>((resolve, reject) => start(id, { orMessage, resolve, reject }))
  }

  /** Joins first and reads then: one of the two sees a request that is settled in between. */
  function start(id: string, waiter: Waiter) {
    add(id, waiter)
    startWatching()
      .then(() => readIfDue(id, waiter))
      .then(
        request => {
          if (!request) return
          remove(id, waiter)
          waiter.resolve(request)
        },
        error => {
          remove(id, waiter)
          waiter.reject(error)
        },
      )
  }

  /** The request where this waiter has nothing to wait for; otherwise null. */
  async function readIfDue(id: string, { orMessage }: Waiter): Promise<Request | null> {
    if (!orMessage) return (await store.read(view => view.isOpen(id))) ? null : read(id)
    const record = await store.read(view => view.request(id))
    if (!record) throw notFound('request', id)
    return record.status !== 'pending' || unheardOf(record).length > 0 ? toRequest(record) : null
  }

  async function waitWithLimit(id: string, { timeout = forever, signal, orMessage }: Limits): Promise<Request> {
    const { promise: settled, ...resolvers } = Promise.withResolvers<Request>()
    const waiter: Waiter = { orMessage, ...resolvers }
    const over = new AbortController()
    const timeIsUp = sleep(Math.min(timeout, forever), over.signal)
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal })
    })
    timeIsUp.catch(() => {})
    settled.catch(() => {})
    start(id, waiter)
    try {
      return (await Promise.race([settled, timeIsUp, aborted])) ?? (await read(id))
    } finally {
      over.abort()
      remove(id, waiter)
    }
  }

  async function read(id: string): Promise<Request> {
    const record = await store.read(view => view.request(id))
    if (!record) throw notFound('request', id)
    return toRequest(record)
  }

  function startWatching(): Promise<Watch> {
    watch ??= watchFromNow().catch(error => {
      watch = null
      throw error
    })
    return watch
  }

  async function watchFromNow(): Promise<Watch> {
    const cursor = createCursor(store, { at: await store.read(view => view.lastEvent()), page })
    const started = await store.watch(committed => {
      cursor.onCommit(committed)
      catchUp(cursor)
    })
    started.keepProcessAlive(waiting.size > 0)
    return started
  }

  /** Goes through the events since the cursor, including those that are committed meanwhile. */
  async function catchUp(cursor: EventCursor) {
    if (catchingUp) return
    catchingUp = true
    while (cursor.isBehind() && !closed && !store.lost.aborted) {
      try {
        const received = cursor.received()
        // These are our own commits: `resolve` reaches their waiters in this same turn of the event loop.
        if (received.length > 0) await setImmediate()
        const events = received.length > 0 ? received : await readEventsAndRequests(cursor)
        await resolveSettled(idsConcernedBy(events))
        if (events.length > 0) onEvents(events)
        // Last: when a lookup fails, the same events are read again.
        cursor.advance(events)
      } catch (error) {
        if (isCursorGone(error) && (await skipGap(cursor))) continue
        // While the database is unavailable, the waiters go on waiting.
        cursor.onCommit()
        await setTimeout(retryAfter, undefined, { ref: waiting.size > 0 })
      }
    }
    catchingUp = false
  }

  /** Events were deleted before we read them: any request may be settled, or deleted. */
  async function skipGap(cursor: EventCursor): Promise<boolean> {
    try {
      await cursor.skipGap()
      await resolveSettled([...waiting.keys()])
      return true
    } catch {
      return false
    }
  }

  /** A few waiters are looked up together with the events, which saves them a round trip. */
  async function readEventsAndRequests(cursor: EventCursor): Promise<readonly EventRecord[]> {
    const few = waiting.size <= fewWaiters ? [...waiting.keys()] : []
    const [events] = await Promise.all([cursor.read(), resolveSettled(few)])
    return events
  }

  function idsConcernedBy(events: readonly EventRecord[]): string[] {
    return events.flatMap(({ type, request }) =>
      request !== null && waiting.has(request) && (settlingEvents.has(type) || type === 'request.message')
        ? [request]
        : [],
    )
  }

  async function resolveSettled(ids: readonly string[]) {
    const records = await Promise.all(ids.map(id => store.read(view => view.request(id))))
    for (const [i, record] of records.entries()) {
      if (!record) reject(ids[i] as string)
      else if (record.status !== 'pending') resolve(toRequest(record))
      else if (unheardOf(record).length > 0) resolveListening(toRequest(record))
    }
  }

  /** It was settled and deleted before we saw its outcome. */
  function reject(id: string) {
    const waiters = waiting.get(id)
    if (!waiters) return
    waiting.delete(id)
    for (const waiter of listOf(waiters)) waiter.reject(notFound('request', id))
    updateKeepAlive()
  }

  function resolve(request: Request) {
    const waiters = waiting.get(request.id)
    if (!waiters) return
    waiting.delete(request.id)
    for (const waiter of listOf(waiters)) waiter.resolve(request)
    updateKeepAlive()
  }

  /** Those who wait for the outcome alone go on waiting. */
  function resolveListening(request: Request) {
    for (const waiter of listOf(waiting.get(request.id) ?? [])) {
      if (!waiter.orMessage) continue
      remove(request.id, waiter)
      waiter.resolve(request)
    }
  }

  function add(id: string, waiter: Waiter) {
    const others = waiting.get(id)
    waiting.set(id, others ? [...listOf(others), waiter] : waiter)
    if (waiting.size === 1) updateKeepAlive()
  }

  /** Others who wait for the same request go on waiting. */
  function remove(id: string, waiter: Waiter) {
    const others = listOf(waiting.get(id) ?? []).filter(other => other !== waiter)
    if (others.length === 0) waiting.delete(id)
    else waiting.set(id, others)
    updateKeepAlive()
  }

  function updateKeepAlive() {
    watch?.then(
      started => started.keepProcessAlive(waiting.size > 0),
      () => {},
    )
  }

  function rejectAll(error: unknown) {
    for (const waiters of waiting.values()) for (const waiter of listOf(waiters)) waiter.reject(error)
    waiting.clear()
    updateKeepAlive()
  }

  function close() {
    closed = true
    rejectAll(new BeckonError('closed', 'The hub was closed.'))
    watch?.then(
      started => started.stop(),
      () => {},
    )
  }
}

function listOf<T>(oneOrMore: T | T[]): T[] {
  return Array.isArray(oneOrMore) ? oneOrMore : [oneOrMore]
}
