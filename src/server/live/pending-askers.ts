import type { SignedInCaller } from '../access/callers.ts'

const mostRemembered = 10_000

/**
 * Who asked the requests to which nothing happened yet, as far as the feed has published: those callers need no look at the
 * store to begin to wait. The feed may publish a settlement before the asker is known, so it is remembered for a while.
 */
export function createPendingAskers() {
  const askers = new Map<string, SignedInCaller>()
  let settledRecently = new Set<string>()
  let settledBefore = settledRecently
  return { add, take, remove, clear: () => askers.clear() }

  function add(id: string, caller: SignedInCaller) {
    if (settledRecently.has(id) || settledBefore.has(id)) return
    if (askers.size >= mostRemembered) askers.clear()
    askers.set(id, caller)
  }

  /** Once: a caller that comes again was cut off, and looks at the store. */
  function take(id: string): SignedInCaller | undefined {
    const caller = askers.get(id)
    askers.delete(id)
    return caller
  }

  function remove(id: string) {
    if (askers.delete(id)) return
    settledRecently.add(id)
    if (settledRecently.size < mostRemembered / 2) return
    settledBefore = settledRecently
    settledRecently = new Set()
  }
}
