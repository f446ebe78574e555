import { setTimeout as sleep } from 'node:timers/promises'
import { HttpFault } from '../errors.ts'

export interface SignInThrottle {
  /** Waits before a failed attempt is answered: longer each time, and then with a refusal. */
  delayFailure(remote: string): Promise<void>
}

const firstDelay = 50
const longestDelay = 2_000
const refuseAfter = 10
const forgetAfter = 60_000
const mostAtOnce = 500
const mostKept = 10_000

/** A valid secret is never delayed, whatever fails from the same address: behind a proxy everybody has the same one. */
export function createSignInThrottle(
  wait: (ms: number) => Promise<unknown> = ms => sleep(ms, null, { ref: false }),
): SignInThrottle {
  const failures = new Map<string, { count: number; last: number }>()
  let waiting = 0
  return {
    async delayFailure(address) {
      const remote = networkOf(address)
      const now = performance.now()
      const before = failures.get(remote)
      const count = before && now - before.last < forgetAfter ? before.count + 1 : 1
      if (failures.size >= mostKept) failures.clear()
      failures.set(remote, { count, last: now })
      if (waiting < mostAtOnce) {
        waiting += 1
        await wait(Math.min(firstDelay * 2 ** (count - 1), longestDelay)).finally(() => {
          waiting -= 1
        })
      }
      if (count > refuseAfter) throw new HttpFault(429, 'too_many', 'Too many failed attempts. Wait a minute.')
    },
  }
}

/** One subscriber has billions of IPv6 addresses: those of one network (/64) count as one. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [left = '', right = ''] = address.split('::')
  const head = left.split(':')
  const gap = address.includes('::') ? 8 - head.length - right.split(':').length : 0
  return [...head, ...Array<string>(Math.max(0, gap)).fill('0'), ...right.split(':')].slice(0, 4).join(':')
}
