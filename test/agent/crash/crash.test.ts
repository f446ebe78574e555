import { expect, it } from 'vitest'
import { crashAgent } from './driver.ts'

const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))

it('survives repeated kills: every call has one result, no answer is lost, nothing runs twice', {
  timeout: 240_000,
}, async () => {
  const report = await crashAgent({ kills: 15, seed })
  expect(report.violations, `CRASH_SEED=${seed}`).toEqual([])
  expect(report.kills).toBe(15)
})
