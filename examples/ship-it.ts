import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

// What `npm start` shows: a program that needs a decision, asks a person for it by `beckon ask`, and carries on.

const beckon = join(import.meta.dirname, '../bin/beckon.js')
const isTerminal = process.stdin.isTTY && process.stderr.isTTY

console.log('A program wants to ship, and asks first. Answer here, or from another terminal:')
console.log('  npx beckon list')
console.log('  npx beckon answer ID yes')
if (!isTerminal) console.log('There is no terminal here, so it waits for 15 seconds at most.')

const { exitCode, output } = await ask('Ship it?', ['yes=everything is green', 'no=not on a Friday'])
const outcome = output ? JSON.parse(output) : null

if (exitCode === 0) console.log(`\n${outcome.by} said ${outcome.value} (${outcome.channel}). ${carryOn(outcome.value)}`)
else if (outcome?.status === 'cancelled')
  console.log('\nNobody answered, so the question was withdrawn. Run npm start in a terminal.')
else console.log(`\nNo answer: ${outcome?.status ?? `beckon ended with ${exitCode}`}. Nothing is shipped.`)

/** The answer is on stdout, what is meant for the person on stderr; so the terminal stays the person's. */
async function ask(question: string, options: string[]) {
  const flags = [...options.flatMap(option => ['--option', option]), '--cancel-on-exit', '--json']
  const child = spawn(process.execPath, [beckon, 'ask', question, ...flags], {
    env: { BECKON_WAIT: '15s', ...process.env },
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  const output = await text(child.stdout)
  const exitCode = child.exitCode ?? (await new Promise<number | null>(resolve => child.once('exit', resolve)))
  return { exitCode, output }
}

function carryOn(answer: string): string {
  return answer === 'yes' ? 'Shipping.' : 'Back to work.'
}
