import { isForPeople } from '../protocol/index.ts'
import type { Visitor } from './access/callers.ts'
import { HttpFault } from './errors.ts'

/** How fast an agent may ask: so many at once, and then so many a second. */
export interface Pace {
  burst: number
  perSecond: number
}

export const usualPace: Pace = { burst: 2_000, perSecond: 200 }

// What is large is stored and shown as often as many small ones would be.
const bytesOfOne = 40_000
const mostKept = 10_000

/** An agent that asks in a loop fills the inbox of a person; people's own tokens are not held back. */
export function createPace(pace: Pace | null): (visitor: Visitor, bytes: number) => void {
  const buckets = new Map<string, { left: number; at: number }>()
  return ({ grant }, bytes) => {
    if (pace === null || isForPeople(grant.scope)) return
    const now = performance.now()
    const bucket = buckets.get(grant.id) ?? { left: pace.burst, at: now }
    const left = Math.min(pace.burst, bucket.left + ((now - bucket.at) / 1_000) * pace.perSecond)
    if (buckets.size >= mostKept) buckets.clear()
    const cost = 1 + Math.floor(bytes / bytesOfOne)
    buckets.set(grant.id, { left: Math.max(0, left - cost), at: now })
    if (left < 1) throw new HttpFault(429, 'too_many', 'This token asks too much. Wait a second.')
  }
}
