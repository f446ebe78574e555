import { setTimeout as sleep } from 'node:timers/promises'
import { HttpFault } from '../errors.ts'

export interface Slowing {
  /** Waits before whoever failed is told so: longer each time, and then refuses to go on. */
  failed(remote: string): Promise<void>
}

const firstDelay = 50
const longestDelay = 2_000
const refuseAfter = 10
const forgetAfter = 60_000
const mostAtOnce = 500
const mostKept = 10_000

/** A good secret is let in at once, whoever else fails from the same address: a proxy has one for everybody. */
export function createSlowing(wait: (ms: number) => Promise<unknown> = ms => sleep(ms, null, { ref: false })): Slowing {
  const failures = new Map<string, { count: number; last: number }>()
  let waiting = 0
  return {
    async failed(address) {
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

/** Whoever has one address of IPv6 has billions of them: those of one network count as one. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [left = '', right = ''] = address.split('::')
  const head = left.split(':')
  const gap = address.includes('::') ? 8 - head.length - right.split(':').length : 0
  return [...head, ...Array<string>(Math.max(0, gap)).fill('0'), ...right.split(':')].slice(0, 4).join(':')
}
