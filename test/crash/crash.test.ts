import { expect, it } from 'vitest'
import { freshDatabase } from '../setup/postgres.ts'
import { untilConclusive } from '../setup/until-conclusive.ts'
import { type CrashOptions, crash } from './driver.ts'

// The short version; `npm run test:crash` runs much longer.
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))

it('the hub loses and duplicates nothing on SQLite when any process is killed at any moment', {
  timeout: 600_000,
}, async () => {
  await expectNoViolations(async () => ({ database: null, rounds: 10, seed }))
})

it('the hub loses and duplicates nothing on PostgreSQL when any process is killed at any moment', {
  timeout: 600_000,
}, async () => {
  await expectNoViolations(async () => ({ database: await freshDatabase(), rounds: 6, seed }))
})

async function expectNoViolations(prepare: () => Promise<CrashOptions>) {
  await untilConclusive(
    async () => {
      const report = await crash(await prepare())
      expect(report.violations, `repeat with CRASH_SEED=${seed}`).toEqual([])
      return report
    },
    // A run in which the processes did almost nothing proves nothing.
    ({ acknowledged }) => acknowledged > 100,
  )
}
