import { openHub } from '../../src/open-hub.ts'
import { question } from './question.ts'

const atOnce = 1_000

/** Stores `count` different pending requests. */
export async function fill(database: string, count: number): Promise<void> {
  const hub = await openHub({ database, sweeps: false })
  for (let n = 0; n < count; n += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - n) }, (_, i) => hub.raise(question(n + i))))
  }
  await hub.close()
}
