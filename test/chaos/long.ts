import { createRandom } from '../crash/random.ts'
import { chaos } from './chaos.ts'
import { faultsWithKills, isKill, planFaults } from './faults.ts'

// npm run test:chaos: 500 kills, and the freezes and cuts among them. CHAOS_SEED repeats a run's choices, if not its timing;
// CHAOS_FAULTS is how many faults of any kind there are; CHAOS_SECONDS ends it earlier.
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
const count = Number(process.env.CHAOS_FAULTS ?? faultsWithKills(500))
const seconds = Number(process.env.CHAOS_SECONDS ?? 2_400)

console.log(`CHAOS_SEED=${seed}`)
const began = performance.now()
const faults = planFaults(count, createRandom(seed))
const { injected, counts, violations } = await chaos({ faults, seed, pause: 2_000, seconds, log: console.log })
const total = Object.values(injected).reduce((sum, n) => sum + n, 0)
const { requests, events, runs, completed, acknowledged, seen } = counts
for (const [fault, n] of Object.entries(injected)) console.log(`${String(n).padStart(5)}  ${fault}`)
console.log(`${requests} requests, ${events} events, ${runs} runs of which ${completed} completed`)
console.log(`${acknowledged} acknowledgements and ${seen} followed events compared`)
for (const violation of violations) console.log(`  ${violation}`)
const kills = Object.entries(injected).reduce((sum, [fault, n]) => sum + (isKill(fault) ? n : 0), 0)
const time = Math.round((performance.now() - began) / 1_000)
const verdict = violations.length === 0 ? 'no violation' : `${violations.length} VIOLATIONS`
console.log(`chaos: ${total} faults, ${kills} of them kills, ${verdict} (seed ${seed}, ${time} s)`)
process.exitCode = violations.length === 0 ? 0 : 1
