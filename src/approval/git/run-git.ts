import { spawnSync } from 'node:child_process'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { findProgram } from '../facts/programs.ts'

export interface Repository {
  /** The root of the work tree. */
  readonly root: string
  /** Options that take the power from what the repository configures. */
  readonly options: readonly string[]
}

/** Time for all questions about one command, and the output of each. */
export interface GitLimits {
  readonly until: number
  readonly bytes: number
}

/**
 * Prepares to ask git about the work tree with this root; null if git cannot be asked. A repository may come from a
 * stranger, and its settings name programs: monitors, hooks, filters, transports. None of them may run.
 */
export function openRepository(root: string, limits: GitLimits): Repository | null {
  const options = ['-c', 'core.fsmonitor=', '-c', 'core.hooksPath=/dev/null', '--no-pager', '--no-optional-locks']
  const filters = runGit({ root, options }, ['config', '--null', '--name-only', '--get-regexp', '^filter[.]'], limits)
  // 1: nothing is configured.
  if (filters === null || (filters.exitCode !== 0 && filters.exitCode !== 1)) return null
  const names = new Set<string>()
  for (const key of filters.output.split('\0').filter(Boolean)) {
    const name = /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1]
    // What cannot be written as an option cannot be switched off.
    if (name === undefined || /[=\n]/.test(name)) return null
    names.add(name)
  }
  if (names.size > mostFilters) return null
  const off = [...names].flatMap(name => ['-c', `filter.${name}.process=`, '-c', `filter.${name}.required=false`])
  return { root, options: [...options, ...off] }
}

const mostFilters = 100

/** Null if git is missing, takes too long or says too much. */
export function runGit(
  { root, options }: Repository,
  args: readonly string[],
  { until, bytes }: GitLimits,
): { exitCode: number; output: string } | null {
  const git = findGit(root)
  const left = until - performance.now()
  if (git === null || left <= 0) return null
  const { status, stdout, error } = spawnSync(git, [...options, ...args], {
    cwd: root,
    env: environment(root),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: Math.ceil(left),
    killSignal: 'SIGKILL',
    maxBuffer: bytes,
  })
  return error || status === null ? null : { exitCode: status, output: stdout }
}

/** Not the one that the workspace may bring along: `node_modules/.bin` is in the PATH of npm's scripts. */
function findGit(root: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const foreign = folders.filter(folder => isAbsolute(folder) && !isWithin(folder, root))
  for (const folder of foreign) {
    const git = findProgram(join(folder, 'git'), root, undefined)
    if (git && !isWithin(git.real, root)) return git.found
  }
  return null
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

/** Nothing of ours: neither the settings of a person nor variables that lead to another repository. */
function environment(root: string): NodeJS.ProcessEnv {
  return {
    PATH: '/usr/bin:/bin',
    LC_ALL: 'C',
    GIT_DIR: join(root, '.git'),
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone would fetch what it lacks, with the program that its settings name.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
  }
}
