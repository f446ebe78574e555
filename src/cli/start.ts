import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { standardOutput } from './output/standard-output.ts'
import { requireWithCodeCache } from './v8-code-cache.ts'

// The program `beckon`. All of its commands are one bundle that V8 does not compile again at every start.

const [, , word = '', ...more] = process.argv
const isHelp = (word === '--help' || word === '-h') && more.length === 0

if (!isHelp || !printHelp()) start()

/** As commander prints it, for whose usual width the build has written it already; false where the width is another. */
function printHelp(): boolean {
  const stdout = standardOutput(1)
  if (stdout.isTTY && stdout.columns !== 80) return false
  stdout.write(readFileSync(join(__dirname, 'help.txt')))
  return true
}

function start() {
  const command = /^[a-z-]{1,30}$/.test(word) ? word : ''
  const { main } = requireWithCodeCache<typeof import('./main.ts')>(join(__dirname, 'main.cjs'), process.env, command)
  void main()
}
