import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import type { Event } from '../../protocol/event.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { type Item, itemOf } from './item.ts'
import type { Change } from './request-list.ts'

export interface PendingOptions {
  signal: AbortSignal
  /** The first change lists the requests that were already pending. */
  onChange: (change: Change) => void
  /** The hub failed or cannot be reached; it is tried again. */
  onError: (error: unknown) => void
}

export interface Pending {
  /** Lists everything again without waiting for an event. */
  reload(): void
}

const page = 200
const retryAfter = 2_000
// follow() does not say when it starts to receive events. The second list finds what was committed between the first list
// and that moment; the later ones are a safety net.
const relistAfter = { first: 1_000, every: 60_000 }

/**
 * Keeps track of pending requests: lists them, and reads every request again that an event names. The reads happen one
 * after another, so that what is known is never older than the last event received.
 */
export function followPending(hub: HubApi, { signal, onChange, onError }: PendingOptions): Pending {
  const known = new Map<string, Item>()
  const runNames = new Map<string, string | null>()
  let snoozed: ReadonlyMap<string, string> = new Map()
  const toRead = new Set<string>()
  let readEverything = false
  let reading = false
  void follow()
  reload()
  const timers = [setTimeout(reload, relistAfter.first), setInterval(reload, relistAfter.every)]
  for (const timer of timers) timer.unref()
  signal.addEventListener('abort', () => timers.forEach(clearTimeout), { once: true })
  return { reload }

  async function follow() {
    for (let since: number | undefined; !signal.aborted; ) {
      try {
        for await (const event of hub.follow({ signal, onGap: reload, ...(since === undefined ? {} : { since }) })) {
          since = event.id
          if (event.request === null || !affectsPending(event)) continue
          if (event.type === 'request.snoozed') reload()
          toRead.add(event.request)
          void read()
        }
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
      await sleep(retryAfter, undefined, { signal, ref: false }).catch(() => {})
      reload()
    }
  }

  function reload() {
    readEverything = true
    void read()
  }

  async function read() {
    if (reading) return
    reading = true
    while (!signal.aborted && (readEverything || toRead.size > 0)) {
      try {
        onChange(await (readEverything ? readAll() : readNext()))
      } catch (error) {
        if (signal.aborted) break
        onError(error)
        // The list contains whatever was missed.
        readEverything = true
        await sleep(retryAfter, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    reading = false
  }

  async function readAll(): Promise<Change> {
    // Events that arrive from now on are read after the list.
    readEverything = false
    toRead.clear()
    snoozed = await listSnoozed(hub)
    const requests = await listAll(hub)
    const ids = new Set(requests.map(({ id }) => id))
    const missing = [...known.keys()].filter(id => !ids.has(id))
    const changes = [await arrive(requests)]
    for (const id of missing) changes.push(await readOne(id))
    return {
      arrived: changes.flatMap(({ arrived }) => arrived),
      reminded: changes.flatMap(({ reminded = [] }) => reminded),
      changed: changes.flatMap(({ changed = [] }) => changed),
      left: changes.flatMap(({ left }) => left),
    }
  }

  async function readNext(): Promise<Change> {
    const [id = ''] = toRead
    toRead.delete(id)
    return readOne(id)
  }

  async function readOne(id: string): Promise<Change> {
    const request = await getIfExists(hub, id)
    if (request?.status === 'pending') return arrive([request])
    const before = known.get(id)
    known.delete(id)
    // A settled request is not deleted this soon; if it is gone nevertheless, the last known state has to do.
    return { arrived: [], left: before ? [request ?? before.request] : [] }
  }

  async function arrive(requests: readonly Request[]): Promise<Change> {
    const arrived: Item[] = []
    const reminded: Item[] = []
    const changed: Item[] = []
    for (const request of requests) {
      const before = known.get(request.id)
      const item = itemOf(request, await runName(request.run), snoozed.get(request.id) ?? null)
      if (before && !isChanged(before, item)) continue
      known.set(request.id, item)
      if (!before) arrived.push(item)
      else if (before.request.remindAt !== request.remindAt) reminded.push(item)
      else changed.push(item)
    }
    return { arrived, reminded, changed, left: [] }
  }

  async function runName(run: string | null): Promise<string | null> {
    if (run === null) return null
    const name = runNames.get(run) ?? (await hub.runs.get(run).catch(() => null))?.name ?? null
    runNames.set(run, name)
    return name
  }
}

function isChanged(before: Item, item: Item): boolean {
  const stateOf = ({ request, snoozedUntil }: Item) =>
    JSON.stringify([request.remindAt ?? null, request.messages.length, request.attachments.length, snoozedUntil])
  return stateOf(before) !== stateOf(item)
}

/** What this person does not want to see yet, and until when. A hub that does not say hides nothing. */
export async function listSnoozed(hub: HubApi): Promise<Map<string, string>> {
  const snoozed = new Map<string, string>()
  for (let after: string | null | undefined; after !== null; ) {
    const next = await hub
      .inbox({ view: 'snoozed', limit: page, ...(after === undefined ? {} : { after }) })
      .catch(() => ({ rows: [], next: null }))
    for (const { id, snoozedUntil } of next.rows) if (snoozedUntil !== null) snoozed.set(id, snoozedUntil)
    after = next.next
  }
  return snoozed
}

export async function listAll(hub: HubApi): Promise<Request[]> {
  const requests: Request[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const next = await hub.list({ limit: page, ...(after === undefined ? {} : { after }) })
    requests.push(...next.requests)
    after = next.next
  }
  return requests
}

/** Whether the event can change which requests are pending. */
function affectsPending({ type }: Event): boolean {
  return type.startsWith('request.') && type !== 'request.delivered' && type !== 'request.used'
}

async function getIfExists(hub: HubApi, id: string): Promise<Request | null> {
  try {
    return await hub.get(id)
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'not_found') return null
    throw error
  }
}
