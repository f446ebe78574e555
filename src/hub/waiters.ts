import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { BeckonError, type Request, settlingEvents, type WaitOptions } from '../protocol/index.ts'
import type { EventRecord } from '../store/records.ts'
import type { Store, Watch } from '../store/store.ts'
import { type Cursor, createCursor } from './cursor.ts'
import { showRequest } from './to-protocol.ts'

interface Waiter {
  resolve(request: Request): void
  reject(error: unknown): void
}

export interface Waiters {
  wait(id: string, options?: WaitOptions): Promise<Request>
  /** This one is settled, and its commit is done. */
  tell(request: Request): void
  close(): void
}

const page = 1_000
const fewWaiters = 4

/**
 * Everybody in this process who waits for a request. One cursor follows the events for all of them; a waiter is no
 * more than a promise in a map, so that a hundred thousand can wait. `onEvents` sees every page that went by.
 */
export function createWaiters(store: Store, onEvents: (events: readonly EventRecord[]) => void): Waiters {
  const waiting = new Map<string, Waiter | Waiter[]>()
  let watch: Promise<Watch> | null = null
  let catching = false
  let closed = false

  return { wait, tell, close }

  function wait(id: string, { for: patience, signal }: WaitOptions = {}): Promise<Request> {
    if (closed) return Promise.reject(new BeckonError('closed', 'The hub was closed.'))
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (patience !== undefined || signal) return waitForAWhile(id, patience, signal)
    return new Promise<Request>((resolve, reject) => start(id, { resolve, reject }))
  }

  /** Joins first and looks then: what is settled in between is seen by one of the two. */
  function start(id: string, waiter: Waiter) {
    add(id, waiter)
    follow()
      .then(() => store.read(view => view.isOpen(id)))
      .then(open => (open ? null : look(id)))
      .then(
        request => {
          if (!request) return
          leave(id, waiter)
          waiter.resolve(request)
        },
        error => {
          leave(id, waiter)
          waiter.reject(error)
        },
      )
  }

  async function waitForAWhile(id: string, patience = forever, signal?: AbortSignal): Promise<Request> {
    const { promise: settled, ...waiter } = Promise.withResolvers<Request>()
    const over = new AbortController()
    const timeIsUp = sleep(Math.min(patience, forever), null, { signal: over.signal })
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal })
    })
    timeIsUp.catch(() => {})
    settled.catch(() => {})
    start(id, waiter)
    try {
      return (await Promise.race([settled, timeIsUp, aborted])) ?? (await look(id))
    } finally {
      over.abort()
      leave(id, waiter)
    }
  }

  async function look(id: string): Promise<Request> {
    const record = await store.read(view => view.request(id))
    if (!record) throw new BeckonError('not_found', `There is no request ${id}.`)
    return showRequest(record)
  }

  function follow(): Promise<Watch> {
    watch ??= begin().catch(error => {
      watch = null
      throw error
    })
    return watch
  }

  async function begin(): Promise<Watch> {
    const from = createCursor(store, await store.read(view => view.lastEvent()), page)
    const started = await store.watch(committed => {
      from.ring(committed)
      catchUp(from)
    })
    started.hold(waiting.size > 0)
    return started
  }

  /** Goes through what was committed since, and on as long as the bell rings meanwhile. */
  async function catchUp(cursor: Cursor) {
    if (catching) return
    catching = true
    while (cursor.isBehind() && !closed) {
      try {
        const heard = cursor.heard()
        // Our own commits: those who wait for them are told in this same turn of the event loop.
        if (heard.length > 0) await setImmediate()
        const events = heard.length > 0 ? heard : await readAndLook(cursor)
        await wakeIfSettled(idsSettledBy(events))
        if (events.length > 0) onEvents(events)
        // Last: when a look-up fails, the same events are read again.
        cursor.pass(events)
      } catch {
        // The database is away: those who wait go on waiting until it is back.
        cursor.ring()
        await sleep(retryAfter, undefined, { ref: waiting.size > 0 })
      }
    }
    catching = false
  }

  /** Few who wait are looked up along with the events: it saves them a round trip. */
  async function readAndLook(cursor: Cursor): Promise<readonly EventRecord[]> {
    const few = waiting.size <= fewWaiters ? [...waiting.keys()] : []
    const [events] = await Promise.all([cursor.read(), wakeIfSettled(few)])
    return events
  }

  function idsSettledBy(events: readonly EventRecord[]): string[] {
    return events.flatMap(({ type, request }) =>
      request !== null && waiting.has(request) && settlingEvents.has(type) ? [request] : [],
    )
  }

  async function wakeIfSettled(ids: readonly string[]) {
    const records = await Promise.all(ids.map(id => store.read(view => view.request(id))))
    for (const record of records) if (record && record.status !== 'pending') tell(showRequest(record))
  }

  function tell(request: Request) {
    const waiters = waiting.get(request.id)
    if (!waiters) return
    waiting.delete(request.id)
    for (const waiter of listOf(waiters)) waiter.resolve(request)
    holdOrRelease()
  }

  function add(id: string, waiter: Waiter) {
    const there = waiting.get(id)
    waiting.set(id, there ? [...listOf(there), waiter] : waiter)
    if (waiting.size === 1) holdOrRelease()
  }

  /** Only this one stops waiting; others for the same request do not. */
  function leave(id: string, waiter: Waiter) {
    const rest = listOf(waiting.get(id) ?? []).filter(other => other !== waiter)
    if (rest.length === 0) waiting.delete(id)
    else waiting.set(id, rest)
    holdOrRelease()
  }

  function holdOrRelease() {
    watch?.then(
      started => started.hold(waiting.size > 0),
      () => {},
    )
  }

  function close() {
    closed = true
    const error = new BeckonError('closed', 'The hub was closed.')
    for (const waiters of waiting.values()) for (const waiter of listOf(waiters)) waiter.reject(error)
    waiting.clear()
    watch?.then(
      started => started.stop(),
      () => {},
    )
  }
}

// The longest that a timer of Node's can be set to.
const forever = 2 ** 31 - 1
const retryAfter = 500

function listOf<T>(oneOrMore: T | T[]): T[] {
  return Array.isArray(oneOrMore) ? oneOrMore : [oneOrMore]
}
