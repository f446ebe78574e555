import type { Event } from '../../protocol/index.ts'
import type { Store } from '../../store/store.ts'
import type { Grant } from '../access/grant.ts'
import { scopeOf } from '../deduplicate.ts'

/** What belongs to a caller that is not a person: an agent (`ask`), or a supervisor on another machine (`run`). */
export interface Ownership {
  /** Requests asked with this token, outside of any run, have this key space. */
  keySpace: string
  ownsRequest(id: string): Promise<boolean>
  ownsRun(id: string): Promise<boolean>
  isVisible(event: Event): boolean | Promise<boolean>
  /** The caller has just asked it: no need to look that up. */
  noteOwnRequest(id: string): void
}

export function createOwnership(store: Store, grant: Grant): Ownership {
  return grant.scope === 'run' ? ownedBySupervisor(store, grant) : ownedByAgent(store, grant)
}

/** An agent owns what it asked: with its token, or in the run that its token is bound to. */
function ownedByAgent(store: Store, { run, id: token }: Grant): Ownership {
  const keySpace = scopeOf(run, token, '', '')
  const known = createKnown()
  return {
    keySpace,
    ownsRequest,
    ownsRun: async id => id === run,
    isVisible,
    noteOwnRequest: id => known.set(id, true),
  }

  async function ownsRequest(id: string): Promise<boolean> {
    const before = known.get(id)
    if (before !== undefined) return before
    const record = await store.read(view => view.request(id))
    if (!record) return false
    known.set(id, record.scope === keySpace)
    return record.scope === keySpace
  }

  function isVisible(event: Event): boolean | Promise<boolean> {
    if (run !== null) return event.run === run
    if (event.request === null || event.run !== null) return false
    return known.get(event.request) ?? ownsRequest(event.request)
  }
}

/** A supervisor owns the runs that it started, and what was asked in them or with its own token. */
function ownedBySupervisor(store: Store, { id: token }: Grant): Ownership {
  const keySpace = scopeOf(null, token, '', '')
  // Only its own token starts a run again over HTTP, so a foreign run stays foreign. `use` looks at the run itself.
  const known = createKnown()
  return { keySpace, ownsRequest, ownsRun, isVisible, noteOwnRequest: () => {} }

  async function ownsRun(id: string): Promise<boolean> {
    const before = known.get(id)
    if (before !== undefined) return before
    const record = await store.read(view => view.run(String(id)))
    if (!record) return false
    known.set(id, record.token === token)
    return record.token === token
  }

  async function ownsRequest(id: string): Promise<boolean> {
    const record = await store.read(view => view.request(id))
    if (!record) return false
    return record.scope === keySpace || (record.run !== null && ownsRun(record.run))
  }

  async function isVisible({ run, request }: Event): Promise<boolean> {
    if (run !== null) return ownsRun(run)
    return request !== null && ownsRequest(request)
  }
}

const mostKnown = 10_000

function createKnown() {
  const known = new Map<string, boolean>()
  return {
    get: (id: string) => known.get(id),
    set(id: string, isOwn: boolean) {
      if (known.size >= mostKnown) known.clear()
      known.set(id, isOwn)
    },
  }
}
