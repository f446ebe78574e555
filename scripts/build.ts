import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build as buildPage } from 'vite'
import { bundleCode } from './build/bundle.ts'
import { checkDependencies } from './build/check-dependencies.ts'
import { compressPage } from './build/compress-page.ts'
import { writeLicenses } from './build/licenses.ts'
import { linkPrograms } from './build/link-programs.ts'
import { declareTypes } from './build/types.ts'
import { writeHelp } from './build/write-help.ts'

// Builds beside dist/ and swaps it in at the end: a failed build leaves the last good one, and whoever runs it meanwhile
// never meets half of one.
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const folder = mkdtempSync(join(root, 'node_modules', '.beckon-dist-'))
const next = join(folder, 'dist')

// `npm ci` in a clone is for people who run it or work on it: the types, half of the build's time, wait for `npm run build`.
const withTypes = process.env.npm_command !== 'ci'

const types = withTypes ? declareTypes(root, next) : Promise.resolve(true)

try {
  const bundles = await bundleCode(root, next)
  checkDependencies(root, bundles)
  writeHelp(root, next)
  writeLicenses(root, next, bundles)
  await bundlePage()
  if (await types) swapIn()
  else process.exitCode = 1
} finally {
  await types
  rmSync(folder, { recursive: true, force: true })
}

/** The inbox in the browser. */
async function bundlePage() {
  const outDir = join(next, 'web')
  await buildPage({ configFile: join(root, 'web', 'vite.config.ts'), build: { outDir }, logLevel: 'warn' })
  compressPage(outDir)
}

function swapIn() {
  try {
    renameSync(dist, join(folder, 'old'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  renameSync(next, dist)
  linkPrograms(root)
}
