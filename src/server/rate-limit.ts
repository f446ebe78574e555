import { isForPeople } from '../protocol/index.ts'
import type { SignedInCaller } from './access/callers.ts'
import { HttpFault } from './errors.ts'

/** How fast an agent may ask: a burst at once, then a number per second. */
export interface RateLimit {
  burst: number
  perSecond: number
}

// A large ask costs the store and the screens as much as several small ones.
const bytesOfOne = 40_000
const mostKept = 10_000

/** An agent that asks in a loop fills a person's inbox; people's own tokens are not limited. */
export function createRateLimiter(limit: RateLimit | null): (caller: SignedInCaller, bytes: number) => void {
  const buckets = new Map<string, { left: number; at: number }>()
  return ({ grant }, bytes) => {
    if (limit === null || isForPeople(grant.scope)) return
    const now = performance.now()
    const bucket = buckets.get(grant.id) ?? { left: limit.burst, at: now }
    const left = Math.min(limit.burst, bucket.left + ((now - bucket.at) / 1_000) * limit.perSecond)
    if (buckets.size >= mostKept) buckets.clear()
    const cost = 1 + Math.floor(bytes / bytesOfOne)
    buckets.set(grant.id, { left: Math.max(0, left - cost), at: now })
    if (left < 1) {
      const message = `This token asks too often: ${limit.perSecond} requests per second. Wait a second.`
      throw new HttpFault(429, 'too_many', message)
    }
  }
}
