import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { type Change, diffTrees, dropConverted, treeOfHead } from './changes.ts'
import { findInTheWay, type Moves, moveIntoPlace } from './files.ts'
import { returnHead, type Staged, stagedWork } from './head.ts'
import { type IsolatedGit, withIsolatedGit } from './isolated-git-dir.ts'
import { type Listing, listTree } from './listing.ts'
import { joinNames, placeOf, splitNames, toText } from './names.ts'
import { findRepository, gitIn, type Head, type Repository, readHead } from './repository.ts'
import { keepTree, readSnapshot, type Snapshot, type SnapshotRef, snapshotTrees, usualLimits } from './snapshot.ts'
import { readTree, type StoredTree, storeTree } from './tree.ts'

export interface RestoreOptions {
  /** Also where something is lost that is in no commit and no snapshot; it is kept in a new snapshot first. */
  readonly force?: boolean
  /** HEAD and the index go back as well. No branch is moved: where it stands elsewhere now, HEAD is detached. */
  readonly checkoutHead?: boolean
  /** Keeps all that is there now in a snapshot, also where nothing would be lost; told before any file is touched. */
  readonly keep?: { readonly ref: SnapshotRef; onKept(snapshot: Snapshot): Promise<unknown> }
}

export interface Restored {
  readonly restored: string[]
  readonly removed: string[]
  readonly saved: Snapshot | null
}

/**
 * Puts the files back as they were. Ignored files stay, whether they are ignored now or were then; so do nested
 * repositories, and whatever was left out of the snapshot.
 */
export async function restoreSnapshot(
  snapshot: Pick<Snapshot, 'commit' | 'root' | 'head' | 'branch'>,
  options: RestoreOptions = {},
): Promise<Restored> {
  const repository = await findRepository(snapshot.root)
  if (repository?.root !== snapshot.root)
    throw new BeckonError('not_found', `${snapshot.root} is no git repository now`)
  return withIsolatedGit(repository, async isolated => {
    const then = await readSnapshot(isolated, snapshot.commit)
    const at = await readHead(repository)
    const now = await storeTreeNow(repository, isolated, then)
    const moves = await planMoves(repository, isolated, now, then)
    const lost = await findLost(repository, isolated, at, now, moves)
    const staged = options.checkoutHead ? await stagedWork(repository, isolated, at) : null
    if (!options.force) refuseToLose(lost, staged)
    await stage(isolated, moves)
    const { keep } = options
    const touches = moves.write.length + moves.remove.length > 0
    const ref = keep?.ref ?? { run: 'before-restore', name: now.tree }
    const needed = lost.length > 0 || staged || (keep && touches)
    const saved = needed ? await save(repository, isolated, now, at, staged, ref) : null
    if (saved) await keep?.onKept(saved)
    if (options.checkoutHead) await returnHead(repository, snapshot)
    await moveIntoPlace(repository.root, staging(isolated), moves)
    return { restored: moves.write.map(toText), removed: moves.remove.map(toText), saved }
  })
}

interface Now extends StoredTree {
  readonly listing: Listing
  /** The names in the snapshot. */
  readonly inSnapshot: ReadonlySet<string>
}

/** The tree as it is, with the snapshot's idea of what belongs to it. */
async function storeTreeNow(repository: Repository, isolated: IsolatedGit, then: StoredTree): Promise<Now> {
  await isolated.git(['read-tree', then.tree], { env: { GIT_INDEX_FILE: indexThen(isolated) } })
  const held = await readTree(isolated, then.tree)
  const isIgnoredThen = await rulesThen(repository, isolated, held)
  const stored = await storeTree(
    repository,
    isolated,
    async () => {
      const listing = await listTree(repository)
      const strangers = [...listing].filter(([name, { kind }]) => kind === 'untracked' && !held.has(name))
      const ignored = await isIgnoredThen(strangers.map(([name]) => name))
      for (const name of ignored) listing.delete(name)
      return addWanted(repository, listing, held.keys())
    },
    usualLimits,
  )
  return { ...stored, inSnapshot: new Set(held.keys()) }
}

function indexThen(isolated: IsolatedGit): string {
  return join(isolated.folder, 'index-then')
}

/** Which files were ignored then: an agent may have emptied .gitignore since. Asked in a folder of nothing but the rules. */
async function rulesThen(repository: Repository, isolated: IsolatedGit, held: ReadonlyMap<string, string>) {
  const folder = join(isolated.folder, 'rules')
  const rules = [...held].filter(([name, entry]) => /(^|\/)\.gitignore$/.test(name) && entry.startsWith('100'))
  await checkOut(
    isolated,
    folder,
    rules.map(([name]) => name),
  )
  const env = { GIT_DIR: repository.gitDir, GIT_WORK_TREE: folder }
  return async (names: readonly string[]) => {
    if (names.length === 0) return []
    // With ./ before it, no name starts with a colon, which would mean something.
    const input = joinNames(names.map(name => `./${name}`))
    const args = ['check-ignore', '-z', '--stdin', '--no-index']
    const output = await gitIn(repository, args, { cwd: folder, env, input, fine: [1] })
    return splitNames(output).map(name => name.slice(2))
  }
}

/** What the snapshot has is looked at now whatever its size, and though it may be ignored by now. */
function addWanted(repository: Repository, listing: Listing, names: Iterable<string>): Listing {
  // Where README and Readme are one file, it is in the list already, under the name that it has now.
  const ignoresCase = repository.settings.get('core.ignorecase') === 'true'
  const fold = (name: string) => (ignoresCase ? toText(name).toLowerCase() : name)
  const listed = new Map([...listing.keys()].map(name => [fold(name), name]))
  for (const name of names) {
    const known = listing.get(listed.get(fold(name)) ?? '')
    if (known) listing.set(listed.get(fold(name)) ?? '', { ...known, wanted: true })
    else listing.set(name, { kind: 'untracked', sparse: false, entry: null, wanted: true })
  }
  return listing
}

async function planMoves(repository: Repository, isolated: IsolatedGit, now: Now, then: StoredTree): Promise<Moves> {
  const untouched = new Set(then.leftOut)
  const changes = await diffTrees(isolated, now.tree, then.tree, '--no-renames')
  const ours = changes.filter(({ name }) => !untouched.has(name))
  const moves = {
    write: ours.filter(change => isFile(change.newMode) && !isSparse(repository, now, change)).map(({ name }) => name),
    remove: ours.filter(change => isGone(change, now)).map(({ name }) => name),
  }
  const unfit = now.leftOut.filter(name => now.inSnapshot.has(name) && !untouched.has(name))
  const inTheWay = [...unfit, ...(await findInTheWay(repository.root, moves))]
  if (inTheWay.length === 0) return moves
  const message = `These are in the way, and are nothing that a snapshot could keep: ${some(inTheWay)}`
  throw new BeckonError('not_allowed', message, { files: inTheWay.map(toText) })
}

const nothing = '000000'
const repositoryMode = '160000'

function isFile(mode: string): boolean {
  return mode !== nothing && mode !== repositoryMode
}

/** Not on disk because of a sparse checkout: there is no file to put back. */
function isSparse(repository: Repository, { listing }: Now, { name }: Change): boolean {
  return (listing.get(name)?.sparse ?? false) && !existsSync(placeOf(repository.root, name))
}

/** What was not stored just now cannot be brought back either: it stays. */
function isGone({ oldMode, newMode, name }: Change, { leftOut }: Now): boolean {
  return newMode === nothing && isFile(oldMode) && !leftOut.includes(name)
}

/** Those of the files to be overwritten or removed that are neither committed nor in any snapshot as they are. */
async function findLost(
  repository: Repository,
  isolated: IsolatedGit,
  { head }: Head,
  now: Now,
  { write, remove }: Moves,
): Promise<string[]> {
  const differing = async (tree: string) => {
    const changes = await diffTrees(isolated, tree, now.tree, '--no-renames', '--diff-filter=d')
    return new Set(changes.map(({ name }) => name))
  }
  const touched = [...write, ...remove]
  const uncommitted = await differing(await treeOfHead(isolated, head))
  const candidates = touched.filter(name => uncommitted.has(name)).map(name => ({ name }))
  const changed = await dropConverted(repository, isolated, head, now.listing, candidates)
  let lost = changed.map(({ name }) => name)
  for (const tree of lost.length > 0 ? await snapshotTrees(repository) : []) {
    const others = await differing(tree)
    lost = lost.filter(name => others.has(name))
    if (lost.length === 0) break
  }
  return lost
}

const forcing = 'With --force it is kept in a snapshot first, and then overwritten'

function refuseToLose(lost: readonly string[], staged: Staged | null): void {
  if (lost.length > 0) {
    const message = `This would overwrite work that is in no commit and no snapshot: ${some(lost)}. ${forcing}`
    throw new BeckonError('not_allowed', message, { files: lost.map(toText) })
  }
  if (staged) {
    const message = `This would empty the index of what is staged and not committed: ${some(staged.names)}. ${forcing}`
    throw new BeckonError('not_allowed', message, { files: staged.names.map(toText) })
  }
}

const fewEnough = 5

function some(names: readonly string[]): string {
  const shown = names.slice(0, fewEnough).map(toText).join(', ')
  return names.length > fewEnough ? `${shown} and ${names.length - fewEnough} more` : shown
}

/** Everything is written aside first: a full disk or a missing object is found out while nothing is touched. */
function stage(isolated: IsolatedGit, { write }: Moves): Promise<void> {
  return checkOut(isolated, staging(isolated), write)
}

function staging(isolated: IsolatedGit): string {
  return join(isolated.folder, 'files')
}

async function checkOut(isolated: IsolatedGit, folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder)
  if (names.length === 0) return
  const call = { env: { GIT_INDEX_FILE: indexThen(isolated) }, input: joinNames(names), strict: true }
  await isolated.git(['checkout-index', '-z', '--stdin', `--prefix=${folder}/`], call)
}

async function save(
  repository: Repository,
  isolated: IsolatedGit,
  { tree, leftOut }: Now,
  at: Head,
  staged: Staged | null,
  ref: SnapshotRef,
): Promise<Snapshot> {
  return keepTree(repository, isolated, {
    tree,
    leftOut,
    ...at,
    dirty: true,
    ref,
    along: staged ? [staged.commit] : [],
  })
}
