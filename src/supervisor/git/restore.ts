import { existsSync, lstatSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { type Change, diffTrees, dropConverted, treeOfHead } from './changes.ts'
import { findInTheWay, type Moves, moveIntoPlace } from './files.ts'
import { returnHead, type Staged, stagedWork } from './head.ts'
import { type IsolatedGit, withIsolatedGit } from './isolated-git-dir.ts'
import { type Listing, listTree } from './listing.ts'
import { joinNames, pathOf, splitNames, toText } from './names.ts'
import { gitIn, type Head, openRepository, type Repository, readHead } from './repository.ts'
import { defaultLimits, readSnapshot, type Snapshot, type SnapshotRef, saveTree, snapshotTrees } from './snapshot.ts'
import { readTree, type StoredTree, storeTree } from './tree.ts'

export interface RestoreOptions {
  /** Restores even if uncommitted work would be lost; that work is saved in a new snapshot first. */
  readonly force?: boolean
  /** What was written until then, in milliseconds since 1970, is the run's own work: it may be undone without `force`. */
  readonly ownUntil?: number | null
  /** Restores HEAD and the index too. No branch is moved: if the branch is elsewhere now, HEAD is detached. */
  readonly checkoutHead?: boolean
  /** Saves the current files in a snapshot even if nothing would be lost. `onSaved` runs before any file changes. */
  readonly keep?: { readonly ref: SnapshotRef; onSaved(snapshot: Snapshot): Promise<unknown> }
}

export interface Restored {
  readonly restored: string[]
  readonly removed: string[]
  readonly saved: Snapshot | null
}

/**
 * Restores the files of a snapshot. Files that are ignored now, or were then, stay as they are; so do nested
 * repositories, and files that were left out of the snapshot.
 */
export async function restoreSnapshot(
  snapshot: Pick<Snapshot, 'commit' | 'root' | 'head' | 'branch'>,
  options: RestoreOptions = {},
): Promise<Restored> {
  const repository = await openRepository(snapshot.root)
  return withIsolatedGit(repository, async isolated => {
    const { at, now, moves, lost } = await compare(repository, isolated, snapshot.commit)
    const staged = options.checkoutHead ? await stagedWork(repository, isolated, at) : null
    if (!options.force) refuseToLose(writtenAfter(repository, lost, options.ownUntil), staged)
    await stage(isolated, moves)
    const { keep } = options
    const touches = moves.write.length + moves.remove.length > 0
    const ref = keep?.ref ?? { run: 'before-restore', name: now.tree }
    const needed = lost.length > 0 || staged || (keep && touches)
    const saved = needed ? await save(repository, isolated, now, at, staged, ref) : null
    if (saved) await keep?.onSaved(saved)
    if (options.checkoutHead) await returnHead(repository, snapshot)
    await moveIntoPlace(repository.root, staging(isolated), moves)
    return { restored: moves.write.map(toText), removed: moves.remove.map(toText), saved }
  })
}

export interface SnapshotPlan {
  readonly restored: string[]
  readonly removed: string[]
  /** Files whose current content is in no commit and no snapshot. */
  readonly unsaved: string[]
  /** Made since the snapshot, the newest first. Restoring leaves them where they are. */
  readonly commits: { readonly id: string; readonly title: string }[]
}

/** What restoring a snapshot would change. Changes nothing itself. */
export async function planRestore(
  snapshot: Pick<Snapshot, 'commit' | 'root' | 'head'>,
  { ownUntil }: Pick<RestoreOptions, 'ownUntil'> = {},
): Promise<SnapshotPlan> {
  const repository = await openRepository(snapshot.root)
  return withIsolatedGit(repository, async isolated => {
    const { at, moves, lost } = await compare(repository, isolated, snapshot.commit)
    return {
      restored: moves.write.map(toText),
      removed: moves.remove.map(toText),
      unsaved: writtenAfter(repository, lost, ownUntil).map(toText),
      commits: await commitsSince(repository, snapshot.head, at.head),
    }
  })
}

/** What is there now beside the snapshot, what restoring moves, and what it would lose. */
async function compare(repository: Repository, isolated: IsolatedGit, commit: string) {
  const then = await readSnapshot(isolated, commit)
  const at = await readHead(repository)
  const now = await storeTreeNow(repository, isolated, then)
  const moves = await planMoves(repository, isolated, now, then)
  return { at, now, moves, lost: await findLost(repository, isolated, at, now, moves) }
}

const mostCommits = 20

async function commitsSince(repository: Repository, then: string | null, head: string | null) {
  if (head === null || head === then) return []
  const range = then === null ? head : `${then}..${head}`
  const args = ['log', '-z', `--max-count=${mostCommits}`, '--format=%h %s', range, '--']
  // The commit of then may be gone, after a rebase and a cleaning up.
  const output = await gitIn(repository, args).catch(() => Buffer.of())
  return splitNames(output).map(line => {
    const [id = '', ...title] = toText(line).split(' ')
    return { id, title: title.join(' ') }
  })
}

interface Now extends StoredTree {
  readonly listing: Listing
  /** The names in the snapshot. */
  readonly inSnapshot: ReadonlySet<string>
}

/** Stores the tree as it is now, but with the ignore rules and files of the snapshot. */
async function storeTreeNow(repository: Repository, isolated: IsolatedGit, then: StoredTree): Promise<Now> {
  await isolated.git(['read-tree', then.tree], { env: { GIT_INDEX_FILE: indexThen(isolated) } })
  const inSnapshot = await readTree(isolated, then.tree)
  const isIgnoredThen = await ignoreRulesThen(repository, isolated, inSnapshot)
  const stored = await storeTree(
    repository,
    isolated,
    async () => {
      const listing = await listTree(repository)
      const untracked = [...listing].filter(([name, { kind }]) => kind === 'untracked' && !inSnapshot.has(name))
      const ignored = await isIgnoredThen(untracked.map(([name]) => name))
      for (const name of ignored) listing.delete(name)
      return addWanted(repository, listing, inSnapshot.keys())
    },
    defaultLimits,
  )
  return { ...stored, inSnapshot: new Set(inSnapshot.keys()) }
}

function indexThen(isolated: IsolatedGit): string {
  return join(isolated.folder, 'index-then')
}

/** Tells which files were ignored then: an agent may have emptied .gitignore since. Runs in a folder with only the rules. */
async function ignoreRulesThen(repository: Repository, isolated: IsolatedGit, inSnapshot: ReadonlyMap<string, string>) {
  const folder = join(isolated.folder, 'rules')
  const rules = [...inSnapshot].filter(([name, entry]) => /(^|\/)\.gitignore$/.test(name) && entry.startsWith('100'))
  await checkOut(
    isolated,
    folder,
    rules.map(([name]) => name),
  )
  const env = { GIT_DIR: repository.gitDir, GIT_WORK_TREE: folder }
  return async (names: readonly string[]) => {
    if (names.length === 0) return []
    // The ./ hides a leading colon, which has a meaning to git.
    const input = joinNames(names.map(name => `./${name}`))
    const args = ['check-ignore', '-z', '--stdin', '--no-index']
    const output = await gitIn(repository, args, { cwd: folder, env, input, accept: [1] })
    return splitNames(output).map(name => name.slice(2))
  }
}

/** The files of the snapshot are compared whatever their size, even if they are ignored by now. */
function addWanted(repository: Repository, listing: Listing, names: Iterable<string>): Listing {
  // On a case-insensitive file system the file may be listed already, as Readme instead of README.
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
  const message = `These are in the way, and a snapshot cannot save them: ${some(inTheWay)}`
  throw new BeckonError('not_allowed', message, { files: inTheWay.map(toText) })
}

const absent = '000000'
const repositoryMode = '160000'

function isFile(mode: string): boolean {
  return mode !== absent && mode !== repositoryMode
}

/** Not on disk because of a sparse checkout: there is no file to restore. */
function isSparse(repository: Repository, { listing }: Now, { name }: Change): boolean {
  return (listing.get(name)?.sparse ?? false) && !existsSync(pathOf(repository.root, name))
}

/** A file that was not stored just now could not be restored later, so it stays. */
function isGone({ oldMode, newMode, name }: Change, { leftOut }: Now): boolean {
  return newMode === absent && isFile(oldMode) && !leftOut.includes(name)
}

/** Files to overwrite or remove whose current content is in no commit and no snapshot. */
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

/** Files that somebody changed after that time; all of them where it is not known. A file that is gone is nobody's work. */
function writtenAfter(repository: Repository, names: readonly string[], time: number | null | undefined): string[] {
  if (time === null || time === undefined) return [...names]
  return names.filter(name => {
    const found = lstatSync(pathOf(repository.root, name), { throwIfNoEntry: false })
    return found !== undefined && found.mtimeMs >= time + 1
  })
}

const forcing = 'With --force it is saved in a snapshot first'

function refuseToLose(lost: readonly string[], staged: Staged | null): void {
  if (lost.length > 0) {
    const message = `This would overwrite work that is in no commit and no snapshot: ${some(lost)}. ${forcing}`
    throw new BeckonError('not_allowed', message, { files: lost.map(toText) })
  }
  if (staged) {
    const message = `This would discard staged changes that are not committed: ${some(staged.names)}. ${forcing}`
    throw new BeckonError('not_allowed', message, { files: staged.names.map(toText) })
  }
}

const mostShown = 5

function some(names: readonly string[]): string {
  const shown = names.slice(0, mostShown).map(toText).join(', ')
  return names.length > mostShown ? `${shown} and ${names.length - mostShown} more` : shown
}

/** Writes all files aside first: a full disk or a missing object shows before any file changes. */
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
  return saveTree(repository, isolated, {
    tree,
    leftOut,
    ...at,
    dirty: true,
    ref,
    along: staged ? [staged.commit] : [],
  })
}
