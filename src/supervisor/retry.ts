import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../protocol/errors.ts'

// A database that restarts, a disk that somebody frees up.
const transient: readonly string[] = ['busy', 'disk_full', 'unreachable', 'too_many']
const longestPause = 5_000

export function isTransient(error: unknown): boolean {
  return error instanceof BeckonError && transient.includes(error.code)
}

/** Retries for as long as the hub is unavailable: an agent that waits for a person can wait for a database too. */
export async function retryWhileUnavailable<Value>(
  work: () => Promise<Value>,
  shouldGiveUp = () => false,
): Promise<Value> {
  for (let pause = 100; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || shouldGiveUp()) throw error
      await sleep(pause)
    }
  }
}
