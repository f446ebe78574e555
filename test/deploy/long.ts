import { startPostgres } from '../setup/postgres-server.ts'
import { failOver } from './failover.ts'

// npm run test:failover: PostgreSQL, two nodes and a proxy as in deploy/compose.yaml; a node is taken away two hundred
// times, and every tenth time the database or the proxy is restarted, too.
const faults = Number(process.env.FAILOVER_FAULTS ?? 200)
const postgres = await startPostgres()
const began = performance.now()
const database = await postgres.freshDatabase()
const found = await failOver({
  database,
  askers: 16,
  faults,
  answersBetween: 25,
  restartDatabase: postgres.restart,
  log: console.log,
})
await postgres.stop()
const { killed, stopped } = found.faults
const time = (performance.now() - began) / 1_000
const { restarts } = found
console.log(`${killed} kills and ${stopped} stops of a node in ${Math.round(time)} s`)
console.log(`${restarts.database} restarts of PostgreSQL and ${restarts.proxy} of the proxy`)
console.log(
  `${found.answered} answers (${Math.round(found.answered / time)} per second), slowest ${Math.round(found.slowest)} ms`,
)
console.log(`asked again with the same key: ${found.askedAgain}`)
for (const line of found.wrong.slice(0, 50)) console.log(`  ${line}`)
console.log(`${found.wrong.length} wrong, lost or doubled answers`)
process.exitCode = found.wrong.length === 0 ? 0 : 1
