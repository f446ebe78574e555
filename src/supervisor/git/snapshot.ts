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

/** The working tree at one moment, as a commit that no branch contains. */
export interface Snapshot {
  readonly commit: string
  /** The ref that keeps the commit from being collected. */
  readonly ref: string
  readonly head: string | null
  readonly branch: string | null
  readonly root: string
  /** Whether there were uncommitted changes. */
  readonly dirty: boolean
  /** Files that are not in it: too large, unreadable, or not regular files. Restoring leaves them alone. */
  readonly leftOut: readonly string[]
}

/** The name of a snapshot. Another one with the same name replaces it. */
export interface SnapshotRef {
  readonly run: string
  readonly name: string
}

const megabyte = 1_000_000
export const defaultLimits: Limits = { largest: 50 * megabyte, total: 1_000 * megabyte }

export interface SnapshotOptions {
  readonly limits?: Limits | undefined
  /** An earlier snapshot, which is returned again if nothing has changed since. */
  readonly since?: Omit<Snapshot, 'leftOut'> | null
  /** Cancels it. */
  readonly signal?: AbortSignal
}

/**
 * Stores the working tree (tracked, modified, deleted and untracked files, without ignored ones) as a commit, with a ref of
 * ours so that gc keeps it. Index, HEAD, branches, files, stash and reflog stay exactly as they are. Null where there is
 * no git, no repository with a working tree, or no such directory.
 */
export async function takeSnapshot(
  cwd: string,
  ref: SnapshotRef,
  { limits = defaultLimits, since = null, signal }: SnapshotOptions = {},
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
      return saveTree(repository, isolated, { ...stored, ...at, dirty, ref })
    })
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Deletes our refs of a run and returns how many; git's gc collects the objects later. */
export async function deleteSnapshots(root: string, run: string): Promise<number> {
  const repository = await findRepository(root)
  if (!repository) return 0
  const refs = await listRefs(repository, `refs/beckon/${refPart(run)}/`)
  const input = Buffer.from(refs.map(ref => `delete ${ref}\0\0`).join(''))
  if (refs.length > 0) await gitIn(repository, ['update-ref', '-z', '--stdin'], { input })
  // After the last snapshot, our cached index is of no use.
  const others = await listRefs(repository, 'refs/beckon/')
  if (others.length === 0) await rm(join(beckonFolder(repository), 'index'), { force: true })
  return refs.length
}

/** Null where the ref is gone or points to another commit. */
async function readKept(
  repository: Repository,
  isolated: IsolatedGit,
  { ref, commit }: Pick<Snapshot, 'ref' | 'commit'>,
): Promise<StoredTree | null> {
  return (await keptAt(repository, ref)) === commit ? readSnapshot(isolated, commit) : null
}

/** Whether a snapshot was taken in this repository: nobody makes a ref from elsewhere. */
export async function isTakenIn(root: string, { ref, commit }: Pick<Snapshot, 'ref' | 'commit'>): Promise<boolean> {
  const repository = await findRepository(root)
  return repository?.root === root && (await keptAt(repository, ref)) === commit
}

async function keptAt(repository: Repository, ref: string): Promise<string> {
  return line(await gitIn(repository, ['rev-parse', '--quiet', '--verify', ref], { accept: [1, 128] }))
}

function isSame(now: StoredTree & Head, then: StoredTree & Head): boolean {
  const leftOut = now.leftOut.length === then.leftOut.length && now.leftOut.every((name, i) => name === then.leftOut[i])
  return leftOut && now.tree === then.tree && now.head === then.head && now.branch === then.branch
}

interface TreeToSave extends StoredTree, Head {
  readonly dirty: boolean
  readonly ref: SnapshotRef
  /** Commits to preserve with it. */
  readonly along?: readonly string[]
}

/** Makes a snapshot of a stored tree. */
export async function saveTree(repository: Repository, isolated: IsolatedGit, toSave: TreeToSave): Promise<Snapshot> {
  const { tree, head, branch, dirty, ref, along = [], leftOut } = toSave
  const parents = [head, ...along].flatMap(parent => (parent ? ['-p', parent] : []))
  const input = Buffer.from(message(ref, leftOut))
  const commit = line(await isolated.git(['commit-tree', tree, ...parents, '-F', '-'], { input }))
  const fullRef = `refs/beckon/${refPart(ref.run)}/${refPart(ref.name)}`
  await gitIn(repository, ['update-ref', fullRef, commit])
  return { commit, ref: fullRef, head, branch, root: repository.root, dirty, leftOut: leftOut.map(toText) }
}

/** The tree of a snapshot, and the files that were left out of it. */
export async function readSnapshot(isolated: IsolatedGit, commit: string): Promise<StoredTree> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new BeckonError('not_found', 'This is not a snapshot id')
  const text = await isolated.git(['cat-file', 'commit', commit]).catch(() => null)
  if (text === null) throw new BeckonError('not_found', `The snapshot ${commit} is no longer in the repository`)
  const lines = fromBytes(text).split('\n')
  const leftOut = lines.filter(line => line.startsWith(trailer)).map(line => unescaped(line.slice(trailer.length)))
  return { tree: (lines[0] ?? '').replace('tree ', ''), leftOut }
}

/** The trees of all snapshots in the repository, newest first. */
export async function snapshotTrees(repository: Repository): Promise<string[]> {
  const args = ['for-each-ref', '--sort=-creatordate', '--format=%(tree)%00', 'refs/beckon/']
  return [...new Set(splitNames(await gitIn(repository, args)).map(tree => tree.trim()))]
}

async function listRefs(repository: Repository, under: string): Promise<string[]> {
  const output = await gitIn(repository, ['for-each-ref', '--format=%(refname)%00', under])
  return splitNames(output).map(ref => ref.trim())
}

/** Escapes a text for use as one part of a ref name: git restricts dots and signs, and slashes separate parts. */
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
