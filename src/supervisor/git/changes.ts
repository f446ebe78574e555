import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { IsolatedGit } from './isolated-git-dir.ts'
import type { Listing } from './listing.ts'
import { splitNames } from './names.ts'
import { line, type Repository } from './repository.ts'
import { copyIndex } from './tree.ts'

/** One line of git's raw diff. A mode is 000000 where the file does not exist. */
export interface Change {
  readonly status: string
  readonly name: string
  readonly oldName: string
  readonly oldMode: string
  readonly newMode: string
}

export async function diffTrees(
  isolated: IsolatedGit,
  from: string,
  to: string,
  ...options: string[]
): Promise<Change[]> {
  const fields = splitNames(await isolated.git(['diff-tree', '-r', '-z', '--raw', ...options, from, to]))
  const changes: Change[] = []
  for (let i = 0; i < fields.length; ) {
    const [oldMode = '', newMode = '', , , status = ''] = (fields[i] ?? '').slice(1).split(' ')
    const names = /^[RC]/.test(status) ? 2 : 1
    changes.push({
      status: status.slice(0, 1),
      oldMode,
      newMode,
      oldName: fields[i + 1] ?? '',
      name: fields[i + names] ?? '',
    })
    i += names + 1
  }
  return changes
}

/** The tree of the last commit; the empty tree before the first one. */
export async function treeOfHead(isolated: IsolatedGit, head: string | null): Promise<string> {
  return head ?? line(await isolated.git(['mktree']))
}

/**
 * Drops files that differ from the last commit only by what git converts on checkout (line ends, filters): git itself
 * says that there is nothing to commit.
 */
export async function dropConverted<T extends { readonly name: string }>(
  repository: Repository,
  isolated: IsolatedGit,
  head: string | null,
  listing: Listing,
  changes: readonly T[],
): Promise<T[]> {
  const mayBeConverted = ({ name }: T) => listing.get(name)?.kind === 'checked'
  if (head === null || !changes.some(mayBeConverted)) return [...changes]
  const uncommitted = await uncommittedNames(repository, isolated, head)
  return changes.filter(change => !mayBeConverted(change) || uncommitted.has(change.name))
}

/** Compared by a refreshed copy of the repository's index: what is staged, and what differs from that. */
async function uncommittedNames(repository: Repository, isolated: IsolatedGit, head: string): Promise<Set<string>> {
  const { gitDir, git } = await isolated.converting()
  await copyIndexOf(repository, gitDir)
  await git(['update-index', '-q', '--unmerged', '--refresh'], { accept: [1] })
  const [staged, unstaged] = await Promise.all([
    git(['diff-index', '-z', '--name-only', '--no-renames', '--cached', '--ignore-submodules=all', head]),
    git(['diff-files', '-z', '--name-only', '--no-renames', '--ignore-submodules=all']),
  ])
  return new Set([...splitNames(staged), ...splitNames(unstaged)])
}

export async function copyIndexOf(repository: Repository, folder: string): Promise<void> {
  // A split index keeps its larger half in a second file.
  const names = (await readdir(repository.gitDir)).filter(name => name === 'index' || name.startsWith('sharedindex.'))
  for (const name of names) await copyIndex(join(repository.gitDir, name), join(folder, name))
}
