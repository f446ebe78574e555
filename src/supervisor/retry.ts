import { setTimeout as sleep } from 'node:timers/promises'
import { isTemporary } from '../protocol/errors.ts'

const longestPause = 5_000

/** Retries for as long as the hub is unavailable: an agent that waits for a person can wait for a database too. */
export async function retryWhileUnavailable<Value>(
  work: () => Promise<Value>,
  shouldGiveUp = () => false,
): Promise<Value> {
  for (let pause = 100; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await work()
    } catch (error) {
      if (!isTemporary(error) || shouldGiveUp()) throw error
      await sleep(pause)
    }
  }
}
