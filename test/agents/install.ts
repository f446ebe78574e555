import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const files = ['package.json', 'package-lock.json'] as const
const programs = ['claude', 'codex', 'opencode', 'gemini'] as const

/**
 * The folder with the programs of all agents, in the versions of package-lock.json beside this file. They are installed
 * once per version into ~/.cache, which all clones of the repository share: together they are 1.2 GB.
 * BECKON_TEST_AGENTS names a folder in which they are already installed.
 */
export function installAgents(): string {
  const given = process.env.BECKON_TEST_AGENTS
  if (given) return complete(given)
  const folder = installOnce(import.meta.dirname, 'beckon-test-agents', next => {
    npmInstall(next)
    // These two put the binary of this platform in place.
    run(process.execPath, ['install.cjs'], join(next, 'node_modules/@anthropic-ai/claude-code'))
    run(process.execPath, ['postinstall.mjs'], join(next, 'node_modules/opencode-ai'))
  })
  return complete(join(folder, 'node_modules', '.bin'))
}

/** The packages of the frameworks that have adapters: 190 MB, without the binary of Claude, which the agents include. */
export function installSdks(): string {
  const source = join(import.meta.dirname, 'sdks')
  const folder = installOnce(source, 'beckon-test-sdks', next => npmInstall(next, '--omit=optional'))
  return join(folder, 'node_modules')
}

/** Installs what the package.json in a folder lists. */
function installOnce(source: string, name: string, install: (folder: string) => void): string {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), name)
  const folder = join(cache, digestOfVersions(source))
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  // Beside its place, and moved there at the end, so that a folder in place is always complete.
  const next = mkdtempSync(join(cache, 'installing-'))
  try {
    for (const name of files) copyFileSync(join(source, name), join(next, name))
    console.log(`Installing into ${folder}`)
    install(next)
    renameSync(next, folder)
  } catch (error) {
    // Another test run may have been faster.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
  return folder
}

function digestOfVersions(source: string): string {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const name of files) hash.update(readFileSync(join(source, name)))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Without scripts, since those of Gemini's optional packages compile for minutes what it does not need here. Not `npm ci`,
 * which refuses a lockfile without the binaries of every platform, and not every registry has them all.
 */
function npmInstall(folder: string, ...options: string[]) {
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...options], folder)
}

function run(command: string, args: string[], cwd: string) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} failed in ${cwd} (exit code ${status}).`)
}

function complete(folder: string): string {
  const missing = programs.filter(name => !existsSync(join(folder, name)))
  if (missing.length > 0) throw new Error(`${folder} has no ${missing.join(', ')}.`)
  return folder
}

// Ahead of the tests, which then find it: node test/agents/install.ts
if (import.meta.main) {
  installAgents()
  installSdks()
}
