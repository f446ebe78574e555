import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from './call-api.ts'

const shortest = 1_000
const longest = 60_000

/** How long to wait after this number of failures in a row: what the API asked for, else twice as long each time. */
export function pauseAfter(error: unknown, failures: number): number {
  const asked = error instanceof ApiError ? error.retryAfter : null
  return asked ?? Math.min(longest, shortest * 2 ** Math.min(failures - 1, 10))
}

/** Ends early when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, null, { signal }).catch(() => {})
}
