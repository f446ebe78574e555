import { accessSync, constants, lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import { runGit } from './git.ts'
import type { Listed, Listing } from './listing.ts'
import { foldersAbove, joinNames, pathOf, splitNames, toText } from './names.ts'
import { gitIn, line, type Repository } from './repository.ts'

/** Our index: `mode oid` by name, and the names of files that have changed on disk since. */
export interface IndexState {
  readonly entries: ReadonlyMap<string, string>
  readonly changed: ReadonlySet<string>
}

/** The changes that make our index hold the listed files. */
export interface Update {
  readonly remove: string[]
  readonly put: [name: string, entry: string][]
  readonly hash: string[]
  readonly leftOut: string[]
}

export interface Limits {
  /** Bytes of one untracked file, or of one that a filter keeps out of the repository. */
  readonly largest: number
  /** Bytes of all untracked files that are not stored yet. */
  readonly total: number
}

/** Examines every file that our index does not cover. Git itself would fail at the first file that it cannot store. */
export async function planUpdate(
  repository: Repository,
  listing: Listing,
  index: IndexState,
  limits: Limits,
): Promise<Update> {
  const update: Update = { remove: [], put: [], hash: [], leftOut: [] }
  const keep = (name: string, entry: string) => index.entries.get(name) !== entry && update.put.push([name, entry])
  const drop = (name: string) => index.entries.has(name) && update.remove.push(name)
  const leaveOut = (name: string, { entry }: Listed) => {
    update.leftOut.push(name)
    return entry === null ? drop(name) : keep(name, entry)
  }
  for (const name of index.entries.keys()) if (!listing.has(name)) drop(name)

  const unknown = [...listing].filter(([name]) => !isUnchanged(name, index))
  const found = await examineAll(
    repository,
    unknown.map(([name]) => name),
  )
  const tooLarge = await findTooLarge(repository, unknown, found, limits)
  for (const [i, [name, listed]] of unknown.entries()) {
    const type = found[i]?.type
    if (type === 'file' || type === 'symlink') tooLarge.has(name) ? leaveOut(name, listed) : update.hash.push(name)
    else if (type === 'missing') listed.sparse && listed.entry !== null ? keep(name, listed.entry) : drop(name)
    else if (type !== 'folder') leaveOut(name, listed)
    else {
      const entry = await entryOfFolder(repository, name, listed)
      if (entry === 'unknown') leaveOut(name, listed)
      else entry === null ? drop(name) : keep(name, entry)
    }
  }
  return update
}

const repositoryMode = '160000'

/** Never for a nested repository: our index only knows its commit at that time. */
function isUnchanged(name: string, { entries, changed }: IndexState): boolean {
  const entry = entries.get(name)
  return entry !== undefined && !entry.startsWith(repositoryMode) && !changed.has(name)
}

interface Found {
  type: 'missing' | 'file' | 'symlink' | 'folder' | 'unsupported'
  size: number
}

const batch = 1_000

/** Synchronous, because thousands of promises take longer than the calls; in batches, so that other work gets a turn. */
async function examineAll({ root, signal }: Repository, names: readonly string[]): Promise<Found[]> {
  const folders = new Map<string, boolean>()
  const found: Found[] = []
  for (const name of names) {
    // A file behind a symbolic link is not in the tree, whatever the index says.
    const there = foldersAbove(name).every(folder => isFolder(root, folder, folders))
    found.push(there ? examine(root, name) : missing)
    if (found.length % batch !== 0) continue
    await setImmediate()
    if (signal?.aborted) throw new BeckonError('timed_out', 'The snapshot was cancelled')
  }
  return found
}

const missing: Found = { type: 'missing', size: 0 }
const unsupported: Found = { type: 'unsupported', size: 0 }

function isFolder(root: string, folder: string, known: Map<string, boolean>): boolean {
  let answer = known.get(folder)
  if (answer === undefined) {
    answer = examine(root, folder).type === 'folder'
    known.set(folder, answer)
  }
  return answer
}

function examine(root: string, name: string): Found {
  try {
    const path = pathOf(root, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return missing
    if (stats.isDirectory()) return { type: 'folder', size: 0 }
    // Git refuses to store a symbolic link of this name.
    if (stats.isSymbolicLink()) return /(^|\/)\.gitmodules$/i.test(name) ? unsupported : { type: 'symlink', size: 0 }
    if (!stats.isFile()) return unsupported
    accessSync(path, constants.R_OK)
    return { type: 'file', size: stats.size }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? missing : unsupported
  }
}

async function findTooLarge(
  repository: Repository,
  listed: readonly [string, Listed][],
  found: readonly Found[],
  { largest, total }: Limits,
): Promise<Set<string>> {
  const sized = listed.flatMap(([name, { entry, wanted }], i) =>
    wanted ? [] : [{ name, tracked: entry !== null, size: found[i]?.size ?? 0 }],
  )
  const large = sized.filter(({ size }) => size > largest)
  const sum = sized.reduce((sum, { tracked, size }) => (tracked || size > largest ? sum : sum + size), 0)
  if (sum > total) {
    const megabytes = Math.round(sum / 1_000_000)
    throw new BeckonError('unsupported', `There are ${megabytes} MB of untracked files; add them to .gitignore`)
  }
  const untracked = large.filter(({ tracked }) => !tracked).map(({ name }) => name)
  const tracked = large.filter(({ tracked }) => tracked).map(({ name }) => name)
  return new Set([...untracked, ...(await namesWithFilter(repository, tracked))])
}

/** Files that a filter such as Git LFS keeps out of the repository. */
async function namesWithFilter(repository: Repository, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const input = joinNames(names)
  const output = splitNames(await gitIn(repository, ['check-attr', '-z', '--stdin', 'filter'], { input }))
  return names.filter((_, i) => !['unspecified', 'unset'].includes(output[i * 3 + 2] ?? 'unset'))
}

/** The entry of a submodule or nested repository is its commit; any other folder has none. */
async function entryOfFolder(
  repository: Repository,
  name: string,
  { entry, kind }: Listed,
): Promise<string | 'unknown' | null> {
  const recorded = entry?.startsWith(repositoryMode) ? entry : null
  if (examine(repository.root, `${name}/.git`).type === 'missing') return recorded
  if (recorded === null && kind !== 'untracked') return null
  const cwd = `${repository.root}/${toText(name)}`
  const env = { GIT_CEILING_DIRECTORIES: repository.root }
  const { code, stdout } = await runGit(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { cwd, env }).catch(
    () => ({ code: 1, stdout: Buffer.of() }),
  )
  const fits = code === 0 && line(stdout).length === (repository.format === 'sha1' ? 40 : 64)
  return fits ? `${repositoryMode} ${line(stdout)}` : (recorded ?? 'unknown')
}
