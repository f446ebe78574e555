import { expect, it } from 'vitest'
import { freshDatabase } from '../setup/postgres.ts'
import { failOver } from './failover.ts'
import { findPrograms } from './proxies.ts'

findPrograms('caddy')

// The short version; `npm run test:failover` takes nodes away two hundred times.
it('two nodes behind the proxy of compose.yaml: one is killed, one is stopped, and every answer is right', async () => {
  const found = await failOver({ database: await freshDatabase(), askers: 6, faults: 2, answersBetween: 15 })
  expect(found.wrong).toEqual([])
  expect(found.faults).toEqual({ killed: 1, stopped: 1 })
  expect(found.answered).toBe(found.asked)
}, 120_000)
