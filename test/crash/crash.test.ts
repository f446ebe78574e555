import { expect, it } from 'vitest'
import { freshDatabase } from '../setup/postgres.ts'
import { untilConclusive } from '../setup/until-conclusive.ts'
import { type CrashOptions, crash } from './driver.ts'

// The short one; `npm run test:crash` goes on for much longer.
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))

it('loses and doubles nothing on SQLite when anybody is killed at any moment', { timeout: 600_000 }, async () => {
  await expectNothingBroken(async () => ({ database: null, rounds: 15, seed }))
})

it('loses and doubles nothing on PostgreSQL when anybody is killed at any moment', { timeout: 600_000 }, async () => {
  await expectNothingBroken(async () => ({ database: await freshDatabase(), rounds: 8, seed }))
})

async function expectNothingBroken(prepare: () => Promise<CrashOptions>) {
  await untilConclusive(
    async () => {
      const report = await crash(await prepare())
      expect(report.violations, `repeat with CRASH_SEED=${seed}`).toEqual([])
      return report
    },
    // A run in which nobody got to do anything proves nothing.
    ({ acknowledged }) => acknowledged > 100,
  )
}
