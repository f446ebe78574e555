import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../protocol/errors.ts'

// What passes: a database that restarts, a disk that somebody makes room on.
const passing: readonly string[] = ['busy', 'disk_full', 'unreachable', 'too_many']
const longest = 5_000

export function isPassing(error: unknown): boolean {
  return error instanceof BeckonError && passing.includes(error.code)
}

/** Again and again while the store cannot be reached: an agent that waits for a person can wait for a database, too. */
export async function patiently<Value>(work: () => Promise<Value>, isOver = () => false): Promise<Value> {
  for (let pause = 100; ; pause = Math.min(2 * pause, longest)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || isOver()) throw error
      await sleep(pause)
    }
  }
}
