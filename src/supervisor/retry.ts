import { setTimeout as sleep } from 'node:timers/promises'
import { isTemporary } from '../protocol/errors.ts'

const longest = 5_000

/** Again and again while the store cannot be reached: an agent that waits for a person can wait for a database, too. */
export async function patiently<Value>(work: () => Promise<Value>, isOver = () => false): Promise<Value> {
  for (let pause = 100; ; pause = Math.min(2 * pause, longest)) {
    try {
      return await work()
    } catch (error) {
      if (!isTemporary(error) || isOver()) throw error
      await sleep(pause)
    }
  }
}
