import { expect, it } from 'vitest'
import { killOnce } from './kill.ts'
import { inParallel, roundsOf } from './rounds.ts'

it('delivers every answer once, or says that it failed, whatever is killed and when', async () => {
  const verdicts = await inParallel(roundsOf(24, 20_261), 4, killOnce)
  expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([])
  // Those that lose nothing but their supervisor always finish.
  const survivors = verdicts.filter(({ round }) => round.victim === 'supervisor')
  expect(survivors.filter(({ status }) => !['completed', 'never started'].includes(status))).toEqual([])
  expect(verdicts.some(({ status }) => status === 'failed')).toBe(true)
}, 240_000)
