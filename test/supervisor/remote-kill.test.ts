import { expect, it } from 'vitest'
import { untilConclusive } from '../setup/until-conclusive.ts'
import { killRemotely, remoteRounds } from './remote-kill.ts'
import { inParallel } from './rounds.ts'

it('a remote run delivers each answer once and loses no byte of its log when runner or server are killed', async () => {
  await untilConclusive(
    async () => {
      const results = await inParallel(remoteRounds(4, 20_262), 3, killRemotely)
      expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
      return results
    },
    results => results.some(({ status }) => status === 'completed'),
  )
}, 600_000)
