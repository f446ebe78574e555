import type { Grant } from '../hub/access/grant.ts'
import type { RestrictedHub } from '../hub/shared-hub.ts'
import type { HubApi } from '../protocol/index.ts'
import type { StoreObserver } from '../store/observed.ts'
import { traceFetch } from './trace-fetch.ts'
import { traceHub } from './trace-hub.ts'
import { traceStoreCalls } from './trace-store.ts'
import type { Tracer } from './tracer.ts'

export { recordLife } from './trace-hub.ts'

interface LocalHub extends HubApi {
  as(grant: Grant): RestrictedHub
  observeStore(observer: StoreObserver): void
}

/** The hub in process with spans of its verbs, of those of its callers over HTTP, and of its calls to the database. */
export function traceLocalHub<Hub extends LocalHub>(tracer: Tracer, hub: Hub, store: 'sqlite' | 'postgres'): Hub {
  hub.observeStore(traceStoreCalls(tracer, store))
  const traced = traceHub(hub, { tracer, settlesHere: true })
  return {
    ...traced,
    as: grant => traceHub(hub.as(grant), { tracer, settlesHere: true }),
    close: () => closeBoth(hub, tracer),
  }
}

/** The hub over HTTP with spans of its verbs and its calls, which tell the server of their trace. */
export function traceHttpHub(tracer: Tracer, create: (fetch: typeof globalThis.fetch) => HubApi): HubApi {
  const hub = create(traceFetch(globalThis.fetch, tracer))
  return { ...traceHub(hub, { tracer, settlesHere: false }), close: () => closeBoth(hub, tracer) }
}

async function closeBoth(hub: HubApi, tracer: Tracer): Promise<void> {
  try {
    await hub.close()
  } finally {
    await tracer.close()
  }
}
