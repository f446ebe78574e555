import { expect, it } from 'vitest'
import { freshDatabase } from '../setup/postgres.ts'
import { type CrashOptions, crash } from './driver.ts'

// The short one; `npm run test:crash` goes on for much longer.
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))

it('loses and doubles nothing on SQLite when anybody is killed at any moment', { timeout: 120_000 }, async () => {
  await expectNothingBroken({ database: null, rounds: 15, seed })
})

it('loses and doubles nothing on PostgreSQL when anybody is killed at any moment', { timeout: 120_000 }, async () => {
  await expectNothingBroken({ database: await freshDatabase(), rounds: 8, seed })
})

async function expectNothingBroken(options: CrashOptions) {
  const { violations, acknowledged } = await crash(options)
  expect(violations, `repeat with CRASH_SEED=${seed}`).toEqual([])
  // A run in which nobody came to do anything proves nothing.
  expect(acknowledged).toBeGreaterThan(100)
}
