import { setTimeout as sleep } from 'node:timers/promises'
import { HttpFault } from './errors.ts'

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
    async failed(remote) {
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
