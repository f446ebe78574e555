import { expect, it } from 'vitest'
import { untilConclusive } from '../setup/until-conclusive.ts'
import { killOnce } from './kill.ts'
import { inParallel, roundsOf } from './rounds.ts'

it('a run delivers every answer once or is marked as failed, whichever process is killed at any moment', async () => {
  await untilConclusive(
    async () => {
      const results = await inParallel(roundsOf(24, 20_261), 4, killOnce)
      expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
      // Runs that lose only their supervisor always finish.
      const survivors = results.filter(({ round }) => round.victim === 'supervisor')
      expect(survivors.filter(({ status }) => !['completed', 'never started'].includes(status))).toEqual([])
      return results
    },
    // Without a kill of an agent that cannot be resumed, failing was not tested.
    results => results.some(({ status }) => status === 'failed'),
  )
}, 600_000)
