import { expect, it } from 'vitest'
import { untilConclusive } from '../setup/until-conclusive.ts'
import { killRemotely, remoteRounds } from './remote-kill.ts'
import { inParallel } from './rounds.ts'

it('delivers each answer once and loses no byte of the log, whether the runner or the server is killed, and when', async () => {
  await untilConclusive(
    async () => {
      const results = await inParallel(remoteRounds(6, 20_262), 3, killRemotely)
      expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
      return results
    },
    results => results.some(({ status }) => status === 'completed'),
  )
}, 600_000)
