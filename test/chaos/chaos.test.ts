import { expect, it } from 'vitest'
import { createRandom } from '../crash/random.ts'
import { untilConclusive } from '../setup/until-conclusive.ts'
import { chaos } from './chaos.ts'
import { type Fault, shuffle } from './faults.ts'

// The short version; `npm run test:chaos` breaks much more.
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

const faults: Fault[] = [
  'kill a node',
  'kill a node',
  'freeze a node',
  'kill an asker',
  'kill an answerer',
  'kill a follower',
  'kill a supervisor',
  'kill a supervisor',
  'freeze a supervisor',
  'kill an agent',
  'cut the connections',
  'cut at a commit',
  'swallow the connections',
  'kill the database',
  'fail over',
]

// It finds processes in /proc.
it.runIf(process.platform === 'linux')(
  'three servers lose and double nothing that they acknowledged while processes, network and database break',
  async () => {
    await untilConclusive(
      async () => {
        const shuffled = shuffle(faults, createRandom(seed))
        const report = await chaos({ faults: shuffled, seed, pause: 800, seconds: 300, log: () => {} })
        expect(report.violations, `repeat with CHAOS_SEED=${seed}`).toEqual([])
        return report
      },
      // A run in which the processes did almost nothing proves nothing.
      ({ counts }) => counts.acknowledged > 50 && counts.completed > 0,
    )
  },
  600_000,
)
