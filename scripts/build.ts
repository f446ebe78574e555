import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprintInputs, noteBuilt, readBuilt } from './build/inputs.ts'
import { linkPrograms } from './build/link-programs.ts'
import { declareTypes } from './build/types.ts'

// Builds beside dist/ and swaps it in at the end: a failed build leaves the last good one, and a program that runs
// meanwhile never meets half of one. What was built from the same files is left as it is: every test command begins with a
// build.
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

// `npm ci` in a clone is for people who run it or work on it: the types, half of the build's time, wait for `npm run build`.
const withTypes = process.env.npm_command !== 'ci'

const inputs = fingerprintInputs(root)
const built = readBuilt(dist)
const isBuilt = built?.inputs === inputs
if (isBuilt && (built.withTypes || !withTypes)) linkPrograms(root)
else await build()

async function build() {
  const folder = mkdtempSync(join(root, 'node_modules', '.beckon-dist-'))
  const next = join(folder, 'dist')
  if (isBuilt) cpSync(dist, next, { recursive: true })
  const types = withTypes ? declareTypes(root, next) : Promise.resolve(true)
  try {
    if (!isBuilt) await buildPrograms(next)
    if (await types) swapIn(folder, next)
    else process.exitCode = 1
  } finally {
    await types
    rmSync(folder, { recursive: true, force: true })
  }
}

async function buildPrograms(next: string) {
  // Loaded only here, because it takes longer than to see that nothing changed.
  const { buildAll } = await import('./build/build-all.ts')
  await buildAll(root, next)
}

function swapIn(folder: string, next: string) {
  noteBuilt(next, { inputs, withTypes })
  try {
    renameSync(dist, join(folder, 'old'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  renameSync(next, dist)
  linkPrograms(root)
}
