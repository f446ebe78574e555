import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const files = ['package.json', 'package-lock.json'] as const
export const programs = ['claude', 'codex', 'opencode', 'gemini'] as const

/**
 * The folder with the programs of all agents, in the versions of package-lock.json beside this file. They are installed
 * once per version into ~/.cache, which all clones of the repository share: together they are 1.2 GB.
 * BECKON_TEST_AGENTS names a folder in which they are already installed.
 */
export function installAgents(): string {
  const given = process.env.BECKON_TEST_AGENTS
  if (given) return complete(given)
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'beckon-test-agents')
  const folder = join(cache, digestOfVersions())
  if (!existsSync(folder)) install(cache, folder)
  return complete(join(folder, 'node_modules', '.bin'))
}

function digestOfVersions(): string {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const name of files) hash.update(readFileSync(join(import.meta.dirname, name)))
  return hash.digest('hex').slice(0, 16)
}

/** Installs beside its place and moves it there at the end, so that a folder in place is always complete. */
function install(cache: string, folder: string) {
  mkdirSync(cache, { recursive: true })
  const next = mkdtempSync(join(cache, 'installing-'))
  try {
    for (const name of files) copyFileSync(join(import.meta.dirname, name), join(next, name))
    console.log(`Installing the agents into ${folder}`)
    // Without scripts, since those of Gemini's optional packages compile for minutes what it does not need here. Not
    // `npm ci`, which refuses a lockfile without the binaries of every platform, and not every registry has them all.
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], next)
    // These two put the binary of this platform in place.
    run(process.execPath, ['install.cjs'], join(next, 'node_modules/@anthropic-ai/claude-code'))
    run(process.execPath, ['postinstall.mjs'], join(next, 'node_modules/opencode-ai'))
    renameSync(next, folder)
  } catch (error) {
    // Another test run may have been faster.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
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
