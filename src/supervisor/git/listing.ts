import { splitNames } from './names.ts'
import { gitIn, type Repository } from './repository.ts'

/**
 * A file that belongs to the tree: `tracked` by the repository's index, `vouched` for by it as well (nobody told git to
 * look away), or `untracked`.
 */
export interface Listed {
  readonly kind: 'vouched' | 'tracked' | 'untracked'
  /** Left out of a sparse checkout: not on disk, and not deleted either. */
  readonly sparse: boolean
  /** `mode oid` in the repository's index; null where it has none. */
  readonly entry: string | null
  /** Needed whatever its size. */
  readonly wanted: boolean
}
export type Listing = Map<string, Listed>

/** The names in the working tree: what the index tracks, and what else is there and not ignored. */
export async function listTree(repository: Repository): Promise<Listing> {
  const args = ['ls-files', '-z', '-v', '--stage', '--cached', '--others', '--exclude-standard']
  return new Map(splitNames(await gitIn(repository, args)).map(parseListed))
}

function parseListed(record: string): [string, Listed] {
  if (record.startsWith('? ')) {
    // A slash at the end: a repository in the repository.
    return [record.slice(2).replace(/\/$/, ''), { kind: 'untracked', sparse: false, entry: null, wanted: false }]
  }
  const tab = record.indexOf('\t')
  const [tag = '', mode = '', oid = ''] = record.slice(0, tab).split(' ')
  const sparse = tag.toUpperCase() === 'S'
  const kind = tag === 'H' ? 'vouched' : 'tracked'
  return [record.slice(tab + 1), { kind, sparse, entry: `${mode} ${oid}`, wanted: false }]
}
