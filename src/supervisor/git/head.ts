import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { copyIndexOf, treeOfHead } from './changes.ts'
import type { IsolatedGit } from './isolated-git-dir.ts'
import { splitNames } from './names.ts'
import { gitIn, type Head, line, type Repository } from './repository.ts'

/** What the index holds and no commit, and a commit that keeps it. */
export interface Staged {
  readonly names: string[]
  readonly commit: string
}

const begun = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']

export async function stagedWork(
  repository: Repository,
  isolated: IsolatedGit,
  { head }: Head,
): Promise<Staged | null> {
  if (begun.some(name => existsSync(join(repository.gitDir, name)))) {
    throw new BeckonError('not_allowed', 'A merge, rebase, cherry-pick or revert is under way; end it first')
  }
  const { gitDir, git } = await isolated.converting()
  await copyIndexOf(repository, gitDir)
  const tree = await treeOfHead(isolated, head)
  const names = splitNames(await git(['diff-index', '-z', '--name-only', '--no-renames', '--cached', tree]))
  if (names.length === 0) return null
  const staged = line(await git(['write-tree']))
  return { names, commit: line(await git(['commit-tree', staged, '-m', 'The index before a restore'])) }
}

/** The index first: where somebody holds its lock, nothing has happened yet. */
export async function returnHead(repository: Repository, { head, branch }: Head): Promise<void> {
  const ref = branch === null ? null : `refs/heads/${branch}`
  const standing = ref && line(await gitIn(repository, ['rev-parse', '--quiet', '--verify', ref], { fine: [1] }))
  if (head === null && standing) {
    throw new BeckonError('not_allowed', `The branch ${branch} had no commit then, and has some now`)
  }
  const env = await withoutFilters(repository)
  await gitIn(repository, ['read-tree', ...(head === null ? ['--empty'] : ['--reset', head])], { env })
  const logged = { settings: ['-c', 'core.logAllRefUpdates=true'] }
  const why = ['-m', 'beckon: restore']
  if (ref && (standing || null) === head) await gitIn(repository, ['symbolic-ref', ...why, 'HEAD', ref], logged)
  else if (head) await gitIn(repository, ['update-ref', ...why, '--no-deref', 'HEAD', head], logged)
}

/** Writing an index, git looks into files that changed in the last second, by way of the filters that are set. */
async function withoutFilters(repository: Repository): Promise<Record<string, string>> {
  const args = ['config', '-z', '--name-only', '--get-regexp', '^filter[.].*[.](clean|smudge|process|required)$']
  const names = (await gitIn(repository, args, { fine: [1] })).toString().split('\0').slice(0, -1)
  // By environment and not by arguments: a name can contain the sign that would end it there.
  const settings = names.flatMap((name, i) => [
    [`GIT_CONFIG_KEY_${i}`, name],
    [`GIT_CONFIG_VALUE_${i}`, ''],
  ])
  return { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(settings) }
}
