import { expect, it } from 'vitest'
import { killRemotely, remoteRounds } from './remote-kill.ts'
import { inParallel } from './rounds.ts'

it('has each answer read once, and the log to the letter, whoever of runner and server is killed and when', async () => {
  const verdicts = await inParallel(remoteRounds(6, 20_262), 3, killRemotely)
  expect(verdicts.filter(({ faults }) => faults.length > 0)).toEqual([])
  expect(verdicts.some(({ status }) => status === 'completed')).toBe(true)
}, 240_000)
