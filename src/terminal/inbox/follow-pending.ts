import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import type { Event } from '../../protocol/event.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Change } from './inbox.ts'
import { type Item, itemOf } from './item.ts'

export interface PendingOptions {
  signal: AbortSignal
  /** The first one tells what was there at the start. */
  onChange: (change: Change) => void
  /** The hub cannot be reached, or has other troubles; it is tried again. */
  onTrouble: (error: unknown) => void
}

export interface Pending {
  /** Looks at everything again, without waiting for an event. */
  reload(): void
}

const page = 200
const tryAgain = 2_000
// follow() does not tell when it has its place among the events. What was committed just before it had, and just after
// the first list was read, is found by the second list; later ones are for whatever else may get lost on the way.
const lookAgain = { soon: 1_000, every: 60_000 }

/**
 * Keeps up with everything that waits: lists it, and looks up again whatever an event names. Looks are made one after
 * another, so that what is known is never older than the last event that was heard.
 */
export function followPending(hub: HubApi, { signal, onChange, onTrouble }: PendingOptions): Pending {
  const known = new Map<string, Item>()
  const runNames = new Map<string, string | null>()
  const toLookUp = new Set<string>()
  let everything = false
  let looking = false
  void follow()
  reload()
  const timers = [setTimeout(reload, lookAgain.soon), setInterval(reload, lookAgain.every)]
  for (const timer of timers) timer.unref()
  signal.addEventListener('abort', () => timers.forEach(clearTimeout), { once: true })
  return { reload }

  async function follow() {
    for (let since: number | undefined; !signal.aborted; ) {
      try {
        for await (const event of hub.follow({ signal, ...(since === undefined ? {} : { since }) })) {
          since = event.id
          if (event.request === null || !concerns(event)) continue
          toLookUp.add(event.request)
          void look()
        }
      } catch (error) {
        if (!signal.aborted) onTrouble(error)
      }
      await sleep(tryAgain, undefined, { signal, ref: false }).catch(() => {})
      reload()
    }
  }

  function reload() {
    everything = true
    void look()
  }

  async function look() {
    if (looking) return
    looking = true
    while (!signal.aborted && (everything || toLookUp.size > 0)) {
      try {
        onChange(await (everything ? lookAtAll() : lookAtOne()))
      } catch (error) {
        if (signal.aborted) break
        onTrouble(error)
        // Whatever was missed is in the list.
        everything = true
        await sleep(tryAgain, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    looking = false
  }

  async function lookAtAll(): Promise<Change> {
    // Events that come from now on are looked at once more after the list.
    everything = false
    toLookUp.clear()
    const requests = await listAll(hub)
    const ids = new Set(requests.map(({ id }) => id))
    const missing = [...known.keys()].filter(id => !ids.has(id))
    const changes = [await arrive(requests)]
    for (const id of missing) changes.push(await lookUp(id))
    return { arrived: changes.flatMap(({ arrived }) => arrived), left: changes.flatMap(({ left }) => left) }
  }

  async function lookAtOne(): Promise<Change> {
    const [id = ''] = toLookUp
    toLookUp.delete(id)
    return lookUp(id)
  }

  async function lookUp(id: string): Promise<Change> {
    const request = await getIfThere(hub, id)
    if (request?.status === 'pending') return arrive([request])
    const before = known.get(id)
    known.delete(id)
    // Nothing settled is deleted so soon that its outcome could not be read; then it is just not there any more.
    return { arrived: [], left: before ? [request ?? before.request] : [] }
  }

  async function arrive(requests: readonly Request[]): Promise<Change> {
    const arrived: Item[] = []
    for (const request of requests) {
      if (known.has(request.id)) continue
      const item = itemOf(request, await runName(request.run))
      known.set(request.id, item)
      arrived.push(item)
    }
    return { arrived, left: [] }
  }

  async function runName(run: string | null): Promise<string | null> {
    if (run === null) return null
    const name = runNames.get(run) ?? (await hub.runs.get(run).catch(() => null))?.name ?? null
    runNames.set(run, name)
    return name
  }
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

/** Whether it can change what waits. */
function concerns({ type }: Event): boolean {
  return type.startsWith('request.') && type !== 'request.delivered' && type !== 'request.used'
}

async function getIfThere(hub: HubApi, id: string): Promise<Request | null> {
  try {
    return await hub.get(id)
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'not_found') return null
    throw error
  }
}
