import { killOnce } from './kill.ts'
import { killRemotely, remoteRounds } from './remote-kill.ts'
import { inParallel, roundsOf } from './rounds.ts'
import { sleepAndWake } from './sleep-and-wake.ts'
import { streamOutput } from './stream-output.ts'

// npm run test:long. RUNS_SEED repeats the choices of the kills, if not their timing; RUNS=kills,sleepers,bytes,remote
// makes it shorter or longer.
const seed = Number(process.env.RUNS_SEED ?? Math.floor(Math.random() * 2 ** 31))
const [kills = 200, sleepers = 1_000, bytes = 1_000_000_000, remote = 40] = (process.env.RUNS ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number)
const began = performance.now()
process.stderr.write(`RUNS_SEED=${seed}\n`)

const results = [await testKills(), await testSleep(), await testOutput(), await testRemoteKills()]
const time = Math.round((performance.now() - began) / 1_000)
process.stdout.write(
  `runs: ${results.every(Boolean) ? 'nothing lost, nothing doubled' : 'BROKEN'} (seed ${seed}, ${time} s)\n`,
)
process.exitCode = results.every(Boolean) ? 0 : 1

async function testKills(): Promise<boolean> {
  const verdicts = await inParallel(roundsOf(kills, seed), 3, async round => {
    const verdict = await killOnce(round)
    for (const fault of verdict.faults) process.stdout.write(`${JSON.stringify(round)}: ${fault}\n`)
    return verdict
  })
  const count = (status: string) => verdicts.filter(verdict => verdict.status === status).length
  const ends = ['completed', 'failed', 'never started'].map(status => `${count(status)} ${status}`).join(', ')
  process.stdout.write(`kills: ${kills} moments: ${ends}\n`)
  return verdicts.every(({ faults }) => faults.length === 0)
}

async function testSleep(): Promise<boolean> {
  const { faults, asleep, alone, served } = await sleepAndWake(sleepers)
  for (const fault of faults.slice(0, 20)) process.stdout.write(`${fault}\n`)
  const [first, second] = [alone, served].map(seconds => `${seconds.toFixed(0)} s`)
  const half = `${sleepers / 2} of them`
  process.stdout.write(`sleep: ${sleepers} runs put to sleep in ${asleep.toFixed(0)} s; ${half} woken in ${first}, `)
  process.stdout.write(`the others beside a server in ${second}\n`)
  return faults.length === 0
}

async function testOutput(): Promise<boolean> {
  const { faults, seconds, memory } = await streamOutput(bytes)
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  const rate = (bytes / 1e6 / seconds).toFixed(0)
  const used = Object.entries(memory)
    .map(([who, most]) => `${who} ${(most / 1e6).toFixed(0)} MB`)
    .join(', ')
  process.stdout.write(`output: ${bytes / 1e6} MB at ${rate} MB/s; most memory: ${used}\n`)
  return faults.length === 0
}

async function testRemoteKills(): Promise<boolean> {
  const verdicts = await inParallel(remoteRounds(remote, seed), 2, async round => {
    const verdict = await killRemotely(round)
    for (const fault of verdict.faults) process.stdout.write(`${JSON.stringify(round)}: ${fault}\n`)
    return verdict
  })
  const completed = verdicts.filter(({ status }) => status === 'completed').length
  process.stdout.write(`remote: ${remote} runs, of which ${completed} completed\n`)
  return verdicts.every(({ faults }) => faults.length === 0)
}
