import { splitNames } from './names.ts'
import { gitIn, type Repository } from './repository.ts'

/**
 * A file that belongs to the tree: `untracked`, `tracked` by the repository's index, or `checked`, which is tracked and
 * compared by git (without the assume-unchanged or skip-worktree flag).
 */
export interface Listed {
  readonly kind: 'checked' | 'tracked' | 'untracked'
  /** Left out of a sparse checkout: not on disk, but not deleted either. */
  readonly sparse: boolean
  /** `mode oid` in the repository's index; null where it is not in it. */
  readonly entry: string | null
  /** Stored whatever its size. */
  readonly wanted: boolean
}
export type Listing = Map<string, Listed>

/** The files of the working tree: tracked by the index, or untracked and not ignored. */
export async function listTree(repository: Repository): Promise<Listing> {
  const args = ['ls-files', '-z', '-v', '--stage', '--cached', '--others', '--exclude-standard']
  return new Map(splitNames(await gitIn(repository, args)).map(parseListed))
}

function parseListed(record: string): [string, Listed] {
  if (record.startsWith('? ')) {
    // A trailing slash means a nested repository.
    return [record.slice(2).replace(/\/$/, ''), { kind: 'untracked', sparse: false, entry: null, wanted: false }]
  }
  const tab = record.indexOf('\t')
  const [tag = '', mode = '', oid = ''] = record.slice(0, tab).split(' ')
  const sparse = tag.toUpperCase() === 'S'
  const kind = tag === 'H' ? 'checked' : 'tracked'
  return [record.slice(tab + 1), { kind, sparse, entry: `${mode} ${oid}`, wanted: false }]
}
