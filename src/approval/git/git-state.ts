import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { GitState, ReadGitState } from '../../guard/git-state.ts'
import { isRebuilt } from '../../guard/paths.ts'
import { readText } from '../facts/read-file.ts'
import { openRepository, type Repository, runGit } from './run-git.ts'

// For all paths of one command. Beyond that git did not say, and a person is asked.
const mostTime = 2_000
const mostQuestions = 50
const mostBytes = 1 << 20

/** Asks git itself, about one command. Nothing is looked at before the guard asks. */
export function createGitStateReader(): ReadGitState {
  const repositories = new Map<string, Repository | null>()
  const known = new Map<string, GitState>()
  let until: number | null = null

  return (path, pattern) => {
    const question = `${path}\0${pattern ?? ''}`
    const before = known.get(question)
    if (before !== undefined) return before
    if (known.size >= mostQuestions) return 'unknown'
    const state = look(path, pattern)
    known.set(question, state)
    return state
  }

  function look(path: string, pattern: string | null): GitState {
    const folder = pattern === null ? dirname(path) : path
    const root = workTreeAround(folder)
    if (root === null) return 'no-repository'
    const place = relative(root, path)
    if (leadsElsewhere(root, folder) || holdsSubmodule(root, place)) return 'unknown'
    until ??= performance.now() + mostTime
    const limits = { until, bytes: mostBytes }
    if (!repositories.has(root)) repositories.set(root, openRepository(root, limits))
    const repository = repositories.get(root) ?? null
    if (repository === null) return 'unknown'
    const status = runGit(repository, [...statusOf, '--', pathspec(place, pattern)], limits)
    return status?.exitCode === 0 ? stateIn(status.output, relative(root, folder)) : 'unknown'
  }
}

/** By the paths alone, so that git is not even started where there is no repository. */
function workTreeAround(path: string): string | null {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return null
  }
}

/** Behind a link git sees nothing. */
function leadsElsewhere(root: string, folder: string): boolean {
  try {
    return relative(realpathSync(root), realpathSync(folder)) !== relative(root, folder)
  } catch {
    // There is nothing to delete.
    return false
  }
}

/** A submodule has settings of its own, so git is not sent into it. */
function holdsSubmodule(root: string, place: string): boolean {
  const submodules = (readText(join(root, '.gitmodules')) ?? '').matchAll(/^[ \t]*path[ \t]*=[ \t]*(.+?)[ \t]*$/gm)
  return [...submodules].some(([, path = '']) => `${path}/`.startsWith(place && `${place}/`))
}

const statusOf = [
  ...['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=dirty'],
  ...['--untracked-files=all', '--ignored=matching'],
]

function pathspec(place: string, pattern: string | null): string {
  if (pattern === null) return `:(top,literal)${place}`
  const folder = place.replaceAll(/[\\*?[\]]/g, '\\$&')
  return `:(top,glob)${folder === '' ? pattern : `${folder}/${pattern}`}`
}

/**
 * Of what git tracks a change counts wherever it is: no build makes that again. Of the rest only names below the folder
 * tell: a whole workspace may lie in one that is called `build`, or is ignored.
 */
function stateIn(status: string, folder: string): GitState {
  const prefix = folder && `${folder}/`
  let state: GitState = 'committed'
  for (const entry of status.split('\0')) {
    const [, kind = '', path = ''] = /^(..) (.+)$/s.exec(entry) ?? []
    const isGone = kind === 'D ' || kind.endsWith('D')
    const isTracked = kind !== '??' && kind !== '!!'
    if (kind === '' || isGone || (!isTracked && path.startsWith(prefix) && isRebuilt(path.slice(prefix.length))))
      continue
    if (kind === '!!') return 'ignored'
    state = 'uncommitted'
  }
  return state
}
