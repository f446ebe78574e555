import { expect, it } from 'vitest'
import { untilConclusive } from '../setup/until-conclusive.ts'
import { killOnce } from './kill.ts'
import { inParallel, roundsOf } from './rounds.ts'

it('delivers every answer once, or says that it failed, whatever is killed and when', async () => {
  await untilConclusive(
    async () => {
      const results = await inParallel(roundsOf(24, 20_261), 4, killOnce)
      expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
      // Those that lose nothing but their supervisor always finish.
      const survivors = results.filter(({ round }) => round.victim === 'supervisor')
      expect(survivors.filter(({ status }) => !['completed', 'never started'].includes(status))).toEqual([])
      return results
    },
    // If no kill hit an agent that could not come back, the second half of the promise was not tried.
    results => results.some(({ status }) => status === 'failed'),
  )
}, 600_000)
