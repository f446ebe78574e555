import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { copyIndexOf, treeOfHead } from './changes.ts'
import type { IsolatedGit } from './isolated-git-dir.ts'
import { splitNames } from './names.ts'
import { gitIn, type Head, line, type Repository } from './repository.ts'

/** What is staged and not committed, and a commit that preserves it. */
export interface Staged {
  readonly names: string[]
  readonly commit: string
}

const operationFiles = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

export async function stagedWork(
  repository: Repository,
  isolated: IsolatedGit,
  { head }: Head,
): Promise<Staged | null> {
  if (operationFiles.some(name => existsSync(join(repository.gitDir, name)))) {
    throw new BeckonError('not_allowed', 'A merge, rebase, cherry-pick or revert is in progress; finish it first')
  }
  const { gitDir, git } = await isolated.converting()
  await copyIndexOf(repository, gitDir)
  const tree = await treeOfHead(isolated, head)
  const names = splitNames(await git(['diff-index', '-z', '--name-only', '--no-renames', '--cached', tree]))
  if (names.length === 0) return null
  const staged = line(await git(['write-tree']))
  return { names, commit: line(await git(['commit-tree', staged, '-m', 'The index before a restore'])) }
}

/** The index comes first: if it is locked, nothing has changed yet. */
export async function returnHead(repository: Repository, { head, branch }: Head): Promise<void> {
  const ref = branch === null ? null : `refs/heads/${branch}`
  const current = ref && line(await gitIn(repository, ['rev-parse', '--quiet', '--verify', ref], { accept: [1] }))
  if (head === null && current) {
    throw new BeckonError('not_allowed', `The branch ${branch} had no commits then, and has some now`)
  }
  const env = await withoutFilters(repository)
  await gitIn(repository, ['read-tree', ...(head === null ? ['--empty'] : ['--reset', head])], { env })
  const logged = { settings: ['-c', 'core.logAllRefUpdates=true'] }
  const why = ['-m', 'beckon: restore']
  if (ref && (current || null) === head) await gitIn(repository, ['symbolic-ref', ...why, 'HEAD', ref], logged)
  else if (head) await gitIn(repository, ['update-ref', ...why, '--no-deref', 'HEAD', head], logged)
}

/** When git writes an index, it runs the configured filters on files that changed in the last second. */
async function withoutFilters(repository: Repository): Promise<Record<string, string>> {
  const args = ['config', '-z', '--name-only', '--get-regexp', '^filter[.].*[.](clean|smudge|process|required)$']
  const names = (await gitIn(repository, args, { accept: [1] })).toString().split('\0').slice(0, -1)
  // In the environment, not in arguments: a name may contain the equals sign that would end it there.
  const settings = names.flatMap((name, i) => [
    [`GIT_CONFIG_KEY_${i}`, name],
    [`GIT_CONFIG_VALUE_${i}`, ''],
  ])
  return { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(settings) }
}
