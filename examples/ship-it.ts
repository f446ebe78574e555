import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

// A program that needs a decision: it asks with `beckon ask`, waits with `beckon wait`, and carries on.

const beckon = join(import.meta.dirname, '../bin/beckon.js')
const isWatched = process.stdout.isTTY
const context = '**Version 2.4** is built and tested.\n\n- 214 tests passed\n- nobody is on call tomorrow'

// On a signal, the wait ends, and the question is withdrawn.
let waiting: ChildProcess | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => waiting?.kill('SIGTERM'))

const question = ['ask', 'Ship version 2.4?', '--header', 'Release', '--context', '-', '--async', '--json']
const options = ['--option', 'yes=everything is green', '--option', 'no=not on a Friday']
const { output: ticket } = await run([...question, ...options], context)
const { id } = JSON.parse(ticket)

console.log('A program asks you before it ships. Answer in the inbox, or from another terminal:')
console.log(`  npx beckon answer ${id} yes`)
if (!isWatched) console.log('There is no terminal here, so it waits at most 15 seconds.')

const patience = process.env.BECKON_WAIT ?? (isWatched ? '1d' : '15s')
const { exitCode, output } = await run(['wait', id, '--for', patience, '--json'])
const outcome = output ? JSON.parse(output) : null

if (exitCode === 0) {
  console.log(`\n${outcome.by} said ${outcome.value} (${outcome.channel}). ${carryOn(outcome.value)}`)
  console.log('Next, in any script:')
  console.log('  if answer=$(npx beckon ask "Deploy now?" --option now --option later --wait 15m); then echo "$answer"')
  console.log('  else echo "no answer ($?)"; fi     # 75: nobody answered in 15 minutes, and the question stays open')
  console.log('examples/agents has agents that are stopped until you answer.')
} else if (exitCode === 75 || exitCode === null) {
  await run(['cancel', id])
  console.log('\nNobody answered, so the question was withdrawn. Run npm start in a terminal.')
} else console.log(`\nNo answer: ${outcome?.status ?? `beckon ended with ${exitCode}`}. Nothing is shipped.`)

/** Its output on stdout and its exit code, which is null if a signal ended it. */
async function run(args: string[], input = ''): Promise<{ exitCode: number | null; output: string }> {
  const child = spawn(process.execPath, [beckon, ...args], { stdio: ['pipe', 'pipe', 'ignore'] })
  if (args[0] === 'wait') waiting = child
  child.stdin.end(input)
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>])
  return { exitCode, output }
}

function carryOn(answer: string): string {
  return answer === 'yes' ? 'Shipping.' : 'Back to work.'
}
