import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

// A program that needs a decision, asks a person for it by `beckon ask`, and carries on.

const beckon = join(import.meta.dirname, '../bin/beckon.js')
const isWatched = process.stdout.isTTY

console.log('\nA program wants to ship, and asks first. Answer in the inbox, or from another terminal:')
console.log('  npx beckon inbox')
console.log('  npx beckon answer ID yes')
if (!isWatched) console.log('There is no terminal here, so it waits for 15 seconds at most.')

const { exitCode, output } = await ask('Ship it?', ['yes=everything is green', 'no=not on a Friday'])
const outcome = output ? JSON.parse(output) : null

if (exitCode === 0) console.log(`\n${outcome.by} said ${outcome.value} (${outcome.channel}). ${carryOn(outcome.value)}`)
else if (outcome?.status === 'cancelled')
  console.log('\nNobody answered, so the question was withdrawn. Run npm start in a terminal.')
else console.log(`\nNo answer: ${outcome?.status ?? `beckon ended with ${exitCode}`}. Nothing is shipped.`)

/** The answer is on stdout, and what else is to be said on stderr. */
async function ask(question: string, options: string[]) {
  const context = '**Version 2.4** is built and tested.\n\n- 214 tests passed\n- nobody is on call tomorrow'
  const flags = [...options.flatMap(option => ['--option', option]), '--context', '-', '--cancel-on-exit', '--json']
  const child = spawn(process.execPath, [beckon, 'ask', question, ...flags], {
    env: { BECKON_WAIT: isWatched ? '1d' : '15s', ...process.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(context)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const output = await text(child.stdout)
  const exitCode = child.exitCode ?? (await new Promise<number | null>(resolve => child.once('exit', resolve)))
  return { exitCode, output }
}

function carryOn(answer: string): string {
  return answer === 'yes' ? 'Shipping.' : 'Back to work.'
}
