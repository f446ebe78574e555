import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { build as buildPage } from 'vite'
import { compressPage } from './compress-page.ts'

// Builds beside dist/ and swaps it in at the end: a failed build leaves the last good one, and whoever runs it meanwhile
// never meets half of one.
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const next = mkdtempSync(join(root, 'node_modules', '.beckon-dist-'))

// Dependencies in plain JavaScript are bundled, so that a command starts from a few files instead of hundreds.
const options: BuildOptions = {
  absWorkingDir: root,
  outbase: 'src',
  outdir: join(next, 'dist'),
  bundle: true,
  platform: 'node',
  target: 'node22',
  external: ['better-sqlite3', 'pg', 'pino', 'web-push', 'yaml', 'ai', '@ai-sdk/*', '@vscode/ripgrep'],
  // Its main file requires parts of itself in a way that cannot be bundled.
  alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') },
  loader: { '.md': 'text' },
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
}

try {
  await bundle()
  await bundlePage()
  if (declareTypes()) swapIn()
  else process.exitCode = 1
} finally {
  rmSync(next, { recursive: true, force: true })
}

async function bundle() {
  await build({
    ...options,
    entryPoints: [
      'src/index.ts',
      'src/adapters/ai-sdk.ts',
      'src/adapters/claude-agent-sdk.ts',
      'src/adapters/langgraph.ts',
      'src/adapters/openai-agents.ts',
      'src/agent/index.ts',
      'src/blocks/index.ts',
      'src/supervisor/holder/main.ts',
    ],
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
  })
  // What agents start again and again, as CommonJS: a small file for every call, and one for good calls with all that
  // they may need. What is imported later is in it, too, and waits there.
  const commonJs = {
    ...options,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    // src/system/programs.ts knows what to do without.
    logOverride: { 'empty-import-meta': 'silent' },
    minifyIdentifiers: true,
  } as const
  const starts = ['src/cli/ask-user-question.ts', 'src/cli/hook/start.ts', 'src/cli/start.ts']
  await build({ ...commonJs, entryPoints: starts })
  await build({
    ...commonJs,
    entryPoints: ['src/cli/ask-user-question/execute-call.ts', 'src/cli/hook/run-hook.ts', 'src/cli/main.ts'],
    // The form in which src/cli/v8-code-cache.ts runs it.
    banner: { js: '(function (exports, require, module) {' },
    footer: { js: '})' },
  })
  const bundles = join(next, 'dist', 'cli')
  for (const name of readdirSync(bundles, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.cjs')) escapeRegularExpressions(join(bundles, name))
}

/** esbuild writes ASCII, except in regular expressions; src/cli/v8-code-cache.ts would read other bytes as Latin-1. */
function escapeRegularExpressions(file: string) {
  const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[^\0-\x7f]/g, toEscape))
}

/** The inbox in the browser. */
async function bundlePage() {
  await buildPage({
    configFile: join(root, 'web', 'vite.config.ts'),
    build: { outDir: join(next, 'dist', 'web') },
    logLevel: 'warn',
  })
  compressPage(join(next, 'dist', 'web'))
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
