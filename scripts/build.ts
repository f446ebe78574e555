import { spawnSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

// Builds beside dist/ and swaps it in at the end: a failed build leaves the last good one, and whoever runs it meanwhile
// never meets half of one.
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const next = mkdtempSync(join(root, 'node_modules', '.beckon-dist-'))

try {
  await bundle()
  if (declareTypes()) swapIn()
  else process.exitCode = 1
} finally {
  rmSync(next, { recursive: true, force: true })
}

/** Dependencies in plain JavaScript are bundled, so that a command starts from a few files instead of hundreds. */
async function bundle() {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/index.ts', 'src/cli/main.ts'],
    outbase: 'src',
    outdir: join(next, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['better-sqlite3', 'pg'],
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
  })
}

/** False when the types are wrong; tsc has said where. */
function declareTypes(): boolean {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = ['-p', 'tsconfig.build.json', '--outDir', join(next, 'dist')]
  return spawnSync(process.execPath, [tsc, ...args], { cwd: root, stdio: 'inherit' }).status === 0
}

function swapIn() {
  try {
    renameSync(dist, join(next, 'old'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  renameSync(join(next, 'dist'), dist)
}
