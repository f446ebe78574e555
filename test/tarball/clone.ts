import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './pack.ts'

// How long it takes from a clone of the last commit to the first answered question: npm run measure:clone. More than a
// minute is a failure.
const goal = 60_000
const root = join(import.meta.dirname, '../..')
const parent = mkdtempSync(join(tmpdir(), 'beckon-clone-'))
const clone = join(parent, 'clone')
const PATH = (process.env.PATH ?? '').split(':').filter(folder => !folder.startsWith(root))
const env = { ...process.env, PATH: PATH.join(':'), BECKON_HOME: join(parent, 'home'), BECKON_USER: 'person' }
const began = performance.now()

try {
  run(['git', 'clone', '--quiet', root, clone], parent, env)
  lap('git clone')
  run(
    ['npm', 'ci', '--no-audit', ...(process.argv.includes('--cold') ? ['--cache', join(parent, 'cache')] : [])],
    clone,
    env,
  )
  lap('npm ci')
  const { id } = JSON.parse(beckon('ask', 'Ship it?', '--option', 'yes', '--option', 'no', '--async', '--json'))
  lap('first npx beckon ask')
  beckon('answer', id, 'yes')
  lap(`the answer "${beckon('wait', id).trim()}"`)
  if (performance.now() - began > goal) process.exitCode = 1
} finally {
  rmSync(parent, { recursive: true, force: true })
}

function beckon(...args: string[]): string {
  return run(['npx', 'beckon', ...args], clone, env)
}

function lap(step: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${step}`)
}
