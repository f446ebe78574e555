import { createRandom } from '../crash/random.ts'
import type { Round } from './kill.ts'

/** Random moments, the same for the same seed: around the start, a question, or its answer. */
export function roundsOf(count: number, seed: number): Round[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => ({
    victim: random.pick(['supervisor', 'supervisor', 'agent', 'both']),
    sleeps: random.chance(0.4),
    after: random.pick(['start', 'asked', 'answered', 'answered']),
    delay: random.below(random.pick([5, 30, 120])),
  }))
}

/** Runs the work for all items, `width` at a time. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = [...items]
  await Promise.all(Array.from({ length: width }, worker))
  return results

  async function worker() {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.push(await work(item))
  }
}
