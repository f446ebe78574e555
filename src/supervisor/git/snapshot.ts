import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { diffTrees, dropConverted, treeOfHead } from './changes.ts'
import { beckonFolder, type IsolatedGit, withIsolatedGit } from './isolated-git-dir.ts'
import { listTree } from './listing.ts'
import { fromBytes, fromText, splitNames, toText } from './names.ts'
import { findRepository, gitIn, type Head, line, type Repository, readHead } from './repository.ts'
import { type StoredTree, storeTree } from './tree.ts'
import type { Limits } from './update.ts'

/** The working tree at one moment, as a commit that no branch knows of. */
export interface Snapshot {
  readonly commit: string
  /** What keeps it. */
  readonly ref: string
  readonly head: string | null
  readonly branch: string | null
  readonly root: string
  /** Whether it had something that was not committed. */
  readonly dirty: boolean
  /** Files that are not in it: too large, unreadable, or no files at all. Restoring leaves them alone. */
  readonly leftOut: readonly string[]
}

/** Under which name a snapshot is kept. Another one under the same name takes its place. */
export interface SnapshotRef {
  readonly run: string
  readonly name: string
}

const megabyte = 1_000_000
export const usualLimits: Limits = { largest: 50 * megabyte, total: 1_000 * megabyte }

export interface SnapshotOptions {
  readonly limits?: Limits | undefined
  /** An earlier one, which is as good where nothing has changed since: there is no other one then. */
  readonly since?: Omit<Snapshot, 'leftOut'> | null
  /** Gives it up. */
  readonly signal?: AbortSignal
}

/**
 * The working tree (tracked, modified, deleted and untracked, not ignored files) as a commit object, reachable from a ref
 * of ours so that gc keeps it; index, HEAD, branches, files, stash and reflog stay exactly as they are. Null where there
 * is no git, no repository with a working tree, or no such directory.
 */
export async function takeSnapshot(
  cwd: string,
  ref: SnapshotRef,
  { limits = usualLimits, since = null, signal }: SnapshotOptions = {},
): Promise<Snapshot | { error: string } | null> {
  try {
    const repository = await findRepository(cwd, signal)
    if (!repository) return null
    return await withIsolatedGit(repository, async isolated => {
      const [{ listing, ...stored }, at, earlier] = await Promise.all([
        storeTree(repository, isolated, () => listTree(repository), limits),
        readHead(repository),
        since?.root === repository.root ? readKept(repository, isolated, since) : null,
      ])
      if (since && earlier && isSame({ ...stored, ...at }, { ...earlier, ...since })) {
        return { ...since, leftOut: stored.leftOut.map(toText) }
      }
      const changes = await diffTrees(isolated, await treeOfHead(isolated, at.head), stored.tree, '--no-renames')
      const work = await dropConverted(repository, isolated, at.head, listing, changes)
      const dirty = work.length > 0 || stored.leftOut.some(name => listing.get(name)?.kind === 'untracked')
      return keepTree(repository, isolated, { ...stored, ...at, dirty, ref })
    })
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Deletes our refs of a run, and says how many; git's gc takes the rest in its own time. */
export async function forgetSnapshots(root: string, run: string): Promise<number> {
  const repository = await findRepository(root)
  if (!repository) return 0
  const refs = await listRefs(repository, `refs/beckon/${refPart(run)}/`)
  const input = Buffer.from(refs.map(ref => `delete ${ref}\0\0`).join(''))
  if (refs.length > 0) await gitIn(repository, ['update-ref', '-z', '--stdin'], { input })
  // With the last of them goes what made the next one quick.
  const others = await listRefs(repository, 'refs/beckon/')
  if (others.length === 0) await rm(join(beckonFolder(repository), 'index'), { force: true })
  return refs.length
}

/** Null where it is not kept any more. */
async function readKept(
  repository: Repository,
  isolated: IsolatedGit,
  { ref, commit }: Pick<Snapshot, 'ref' | 'commit'>,
): Promise<StoredTree | null> {
  const kept = line(await gitIn(repository, ['rev-parse', '--quiet', '--verify', ref], { fine: [1, 128] }))
  return kept === commit ? readSnapshot(isolated, commit) : null
}

function isSame(now: StoredTree & Head, then: StoredTree & Head): boolean {
  const leftOut = now.leftOut.length === then.leftOut.length && now.leftOut.every((name, i) => name === then.leftOut[i])
  return leftOut && now.tree === then.tree && now.head === then.head && now.branch === then.branch
}

interface Kept extends StoredTree, Head {
  readonly dirty: boolean
  readonly ref: SnapshotRef
  /** Commits to keep with it. */
  readonly along?: readonly string[]
}

/** Makes a stored tree a snapshot. */
export async function keepTree(repository: Repository, isolated: IsolatedGit, kept: Kept): Promise<Snapshot> {
  const { tree, head, branch, dirty, ref, along = [], leftOut } = kept
  const parents = [head, ...along].flatMap(parent => (parent ? ['-p', parent] : []))
  const input = Buffer.from(message(ref, leftOut))
  const commit = line(await isolated.git(['commit-tree', tree, ...parents, '-F', '-'], { input }))
  const fullRef = `refs/beckon/${refPart(ref.run)}/${refPart(ref.name)}`
  await gitIn(repository, ['update-ref', fullRef, commit])
  return { commit, ref: fullRef, head, branch, root: repository.root, dirty, leftOut: leftOut.map(toText) }
}

/** The tree of a snapshot, and the names of what is not in it. */
export async function readSnapshot(isolated: IsolatedGit, commit: string): Promise<StoredTree> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new BeckonError('not_found', 'This is not the id of a snapshot')
  const text = await isolated.git(['cat-file', 'commit', commit]).catch(() => null)
  if (text === null) throw new BeckonError('not_found', `The snapshot ${commit} is no longer in the repository`)
  const lines = fromBytes(text).split('\n')
  const leftOut = lines.filter(one => one.startsWith(trailer)).map(one => unescaped(one.slice(trailer.length)))
  return { tree: (lines[0] ?? '').replace('tree ', ''), leftOut }
}

/** The trees of all our snapshots, newest first. */
export async function snapshotTrees(repository: Repository): Promise<string[]> {
  const args = ['for-each-ref', '--sort=-creatordate', '--format=%(tree)%00', 'refs/beckon/']
  return [...new Set(splitNames(await gitIn(repository, args)).map(tree => tree.trim()))]
}

async function listRefs(repository: Repository, under: string): Promise<string[]> {
  const output = await gitIn(repository, ['for-each-ref', '--format=%(refname)%00', under])
  return splitNames(output).map(ref => ref.trim())
}

/** Any text as one part of a ref's name: git has rules about dots and signs, and slashes would make folders. */
function refPart(text: string): string {
  if (text === '') throw new BeckonError('invalid', 'A snapshot needs a run and a name')
  return escaped(fromText(text), /[^\w-]/g)
}

const trailer = 'Left-Out: '

function message({ run, name }: SnapshotRef, leftOut: readonly string[]): string {
  const trailers = leftOut.map(one => `${trailer}${escaped(one)}\n`).join('')
  return `Working tree at ${refPart(name)} of ${refPart(run)}\n${trailers && `\n${trailers}`}`
}

function escaped(name: string, what = /[^!-$&-~]/g): string {
  return name.replaceAll(what, one => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function unescaped(text: string): string {
  return text.replaceAll(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
