import type { Visitor } from '../access/callers.ts'

const mostRemembered = 10_000

/**
 * Who asked what is not settled yet, as far as the feed has told: those need no look at the store to begin to wait. It
 * may tell that a request is settled before its asker is known, so that is remembered for a while, too.
 */
export function createUnsettled() {
  const askers = new Map<string, Visitor>()
  let settledLately = new Set<string>()
  let settledBefore = settledLately
  return { add, take, remove }

  function add(id: string, visitor: Visitor) {
    if (settledLately.has(id) || settledBefore.has(id)) return
    if (askers.size >= mostRemembered) askers.clear()
    askers.set(id, visitor)
  }

  /** Once: whoever comes again was cut off, and looks. */
  function take(id: string): Visitor | undefined {
    const visitor = askers.get(id)
    askers.delete(id)
    return visitor
  }

  function remove(id: string) {
    if (askers.delete(id)) return
    settledLately.add(id)
    if (settledLately.size < mostRemembered / 2) return
    settledBefore = settledLately
    settledLately = new Set()
  }
}
