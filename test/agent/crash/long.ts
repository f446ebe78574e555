import { crashAgent } from './driver.ts'

// npm run test:agent-long. CRASH_SEED repeats a run's choices, if not its timing; CRASH_KILLS makes it shorter or longer.
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))
const kills = Number(process.env.CRASH_KILLS ?? 200)

process.stderr.write(`CRASH_SEED=${seed}\n`)
const began = performance.now()
const report = await crashAgent({ kills, seed })
for (const violation of report.violations) process.stdout.write(`  ${violation}\n`)
const { conversations, replies, cutOff, violations } = report
process.stdout.write(
  `agent: ${report.kills} killed in ${conversations} conversations, ${replies} replies of the model, ${cutOff} effects told as cut off, ${violations.length} broken promises (seed ${seed}, ${Math.round((performance.now() - began) / 1_000)} s)\n`,
)
process.exitCode = violations.length === 0 ? 0 : 1
