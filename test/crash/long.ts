import { startPostgres } from '../setup/postgres-server.ts'
import { type CrashReport, crash } from './driver.ts'

// npm run test:crash. Each batch has its own database, so that creating it is tested too and a fault is found
// early. CRASH_SEED repeats a run's choices, if not its timing; CRASH_ROUNDS=sqlite,postgres makes it shorter or longer.
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
const [sqliteRounds = 320, postgresRounds = 120] = (process.env.CRASH_ROUNDS ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number)
const roundsPerBatch = 20

process.stderr.write(`CRASH_SEED=${seed}\n`)
const server = await startPostgres()
const began = performance.now()
try {
  const results = [
    await runBatches('SQLite', sqliteRounds, async () => null),
    await runBatches('PostgreSQL', postgresRounds, server.freshDatabase),
  ]
  const time = Math.round((performance.now() - began) / 1_000)
  const verdict = results.every(Boolean) ? 'nothing lost, nothing doubled' : 'BROKEN'
  process.stdout.write(`crash: ${verdict} (seed ${seed}, ${time} s)\n`)
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  await server.stop()
}

async function runBatches(name: string, rounds: number, fresh: () => Promise<string | null>): Promise<boolean> {
  const total: CrashReport = { kills: 0, requests: 0, events: 0, acknowledged: 0, violations: [] }
  for (let done = 0; done < rounds && total.violations.length === 0; done += roundsPerBatch) {
    const options = { database: await fresh(), rounds: Math.min(roundsPerBatch, rounds - done), seed: seed + done }
    const report = await crash(options)
    total.kills += report.kills
    total.requests += report.requests
    total.events += report.events
    total.acknowledged += report.acknowledged
    total.violations.push(...report.violations)
    process.stderr.write(`${name}: ${done + options.rounds} of ${rounds} rounds, ${total.kills} killed\n`)
  }
  for (const violation of total.violations.slice(0, 20)) process.stdout.write(`  ${name}: ${violation}\n`)
  const { kills, requests, events, acknowledged, violations } = total
  process.stdout.write(
    `${name}: ${rounds} rounds, ${kills} killed, ${requests} requests, ${events} events, ${acknowledged} acknowledgements, ${violations.length} broken promises\n`,
  )
  return violations.length === 0
}
