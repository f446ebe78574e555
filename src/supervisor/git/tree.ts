import { copyFile, link, rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { beckonFolder, type IsolatedGit } from './isolated-git-dir.ts'
import type { Listing } from './listing.ts'
import { joinNames, splitNames, toBytes } from './names.ts'
import { line, type Repository } from './repository.ts'
import { type Held, type Limits, planUpdate, type Update } from './update.ts'

export interface StoredTree {
  readonly tree: string
  /** Too large, unreadable, or nothing that git can hold. */
  readonly leftOut: readonly string[]
}

/**
 * Stores the listed files as a tree object. An index of our own, kept between snapshots, remembers what was stored, so
 * that only changed files are read; it is a cache, and when it turns out to be wrong, we do without.
 */
export async function storeTree(
  repository: Repository,
  isolated: IsolatedGit,
  list: () => Promise<Listing>,
  limits: Limits,
): Promise<StoredTree & { listing: Listing }> {
  const attempt = async (index: string, seeded: boolean) => {
    if (seeded) await takeIndex(repository, index)
    const env = { GIT_INDEX_FILE: index }
    const [listing, held] = await Promise.all([list(), readIndex(isolated, env)])
    const { leftOut, ...update } = await planUpdate(repository, listing, held, limits)
    await carryOut(isolated, env, update).catch(async error => {
      // Given up half-way: the next one goes on from here.
      if (repository.signal?.aborted) await keepIndex(repository, index)
      throw error
    })
    const tree = await writeTree(repository, isolated, env)
    await keepIndex(repository, index)
    return { tree, leftOut, listing }
  }
  return attempt(join(isolated.folder, 'index'), true).catch(error => {
    if (error instanceof BeckonError && error.code !== 'unsupported') throw error
    return attempt(join(isolated.folder, 'new-index'), false)
  })
}

/** `mode oid` by name, for every file of a stored tree. */
export async function readTree(isolated: IsolatedGit, tree: string): Promise<Map<string, string>> {
  const records = splitNames(await isolated.git(['ls-tree', '-r', '-z', tree]))
  return new Map(
    records.map(record => {
      const [mode = '', , oid = ''] = record.slice(0, record.indexOf('\t')).split(' ')
      return [record.slice(record.indexOf('\t') + 1), `${mode} ${oid}`]
    }),
  )
}

// A link and not a copy: git compares the times of files with that of the index, and never writes into one in place.
async function takeIndex(repository: Repository, index: string): Promise<void> {
  const kept = join(beckonFolder(repository), 'index')
  await link(kept, index).catch(error => (error.code === 'ENOENT' ? undefined : copyIndex(kept, index)))
}

/** Dated down to the second: older than it is means that git looks closer. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from)
  await copyFile(from, to)
  const seconds = Math.floor(mtimeMs / 1000)
  await utimes(to, seconds, seconds)
}

/** What our index holds, and which of it is no longer so on disk. */
async function readIndex(isolated: IsolatedGit, env: Record<string, string>): Promise<Held> {
  const [entries, changes] = await Promise.all([
    isolated.git(['ls-files', '-z', '--stage'], { env }),
    isolated.git(['diff-files', '-z', '--name-only', '--no-renames', '--ignore-submodules=all'], { env }),
  ])
  const held = splitNames(entries).map((record): [string, string] => {
    const tab = record.indexOf('\t')
    return [record.slice(tab + 1), record.slice(0, tab).split(' ').slice(0, 2).join(' ')]
  })
  return { entries: new Map(held), changed: new Set(splitNames(changes)) }
}

async function carryOut(
  isolated: IsolatedGit,
  env: Record<string, string>,
  update: Omit<Update, 'leftOut'>,
): Promise<void> {
  const zero = '0'.repeat(40)
  const lines = [
    ...update.remove.map(name => `0 ${zero}\t${name}\0`),
    ...update.put.map(([name, entry]) => `${entry}\t${name}\0`),
  ]
  if (lines.length > 0) {
    await isolated.git(['update-index', '-z', '--add', '--replace', '--index-info'], {
      env,
      input: toBytes(lines.join('')),
    })
  }
  for (let i = 0; i < update.hash.length; i += portion) {
    const input = joinNames(update.hash.slice(i, i + portion))
    await isolated.git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], { env, input })
  }
}

// After so many files git puts down what it has: that much is not lost when it is given up.
const portion = 5_000

async function writeTree(repository: Repository, isolated: IsolatedGit, env: Record<string, string>): Promise<string> {
  // In a partial clone, what was never fetched need not be here.
  const missing = repository.partial ? ['--missing-ok'] : []
  return line(await isolated.git(['write-tree', ...missing], { env }))
}

async function keepIndex(repository: Repository, index: string): Promise<void> {
  // An empty tree leaves none.
  await rename(index, join(beckonFolder(repository), 'index')).catch(() => {})
}
