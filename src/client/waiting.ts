import type { Request, WaitOptions } from '../protocol/index.ts'
import { type Caller, isPassing, sleep } from './call.ts'

// Shorter than what proxies cut off.
const longestCall = 50_000
const firstPause = 100
const longestPause = 5_000

/** Waits in calls of a bearable length, across restarts of the server. */
export async function waitFor(caller: Caller, id: string, { for: patience, signal }: WaitOptions): Promise<Request> {
  const giveUpAt = patience === undefined ? Number.POSITIVE_INFINITY : performance.now() + patience
  const over = signal ? AbortSignal.any([signal, caller.closed]) : caller.closed
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const left = Math.max(0, giveUpAt - performance.now())
    try {
      const seconds = Math.min(left, longestCall) / 1_000
      const { body } = await caller.call('GET', `/api/requests/${id}?wait=${seconds}`, { signal })
      const request = body as Request
      if (request.status !== 'pending' || performance.now() >= giveUpAt) return request
      pause = firstPause
    } catch (error) {
      if (over.aborted) throw over.reason
      if (!isPassing(error) || performance.now() >= giveUpAt) throw error
      await sleep(pause, over)
    }
  }
}
