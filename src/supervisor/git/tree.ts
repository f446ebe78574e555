import { copyFile, link, rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { BeckonError } from '../../protocol/errors.ts'
import { beckonFolder, type IsolatedGit } from './isolated-git-dir.ts'
import type { Listing } from './listing.ts'
import { joinNames, splitNames, toBytes } from './names.ts'
import { line, type Repository } from './repository.ts'
import { type IndexState, type Limits, planUpdate, type Update } from './update.ts'

export interface StoredTree {
  readonly tree: string
  /** Too large, unreadable, or of a kind that git cannot store. */
  readonly leftOut: readonly string[]
}

/**
 * Stores the listed files as a tree object. Our own index, saved between snapshots, remembers what was stored, so that only
 * changed files are read. It is a cache: if it turns out to be wrong, we start without it.
 */
export async function storeTree(
  repository: Repository,
  isolated: IsolatedGit,
  list: () => Promise<Listing>,
  limits: Limits,
): Promise<StoredTree & { listing: Listing }> {
  const attempt = async (index: string, useCache: boolean) => {
    if (useCache) await loadIndex(repository, index)
    const env = { GIT_INDEX_FILE: index }
    const [listing, state] = await Promise.all([list(), readIndex(isolated, env)])
    const { leftOut, ...update } = await planUpdate(repository, listing, state, limits)
    await applyUpdate(isolated, env, update).catch(async error => {
      // Cancelled half-way: the next attempt continues from here.
      if (repository.signal?.aborted) await saveIndex(repository, index)
      throw error
    })
    const tree = await writeTree(repository, isolated, env)
    await saveIndex(repository, index)
    return { tree, leftOut, listing }
  }
  return attempt(join(isolated.folder, 'index'), true).catch(error => {
    if (error instanceof BeckonError && error.code !== 'unsupported') throw error
    return attempt(join(isolated.folder, 'new-index'), false)
  })
}

/** `mode oid` by name for every file of a stored tree. */
export async function readTree(isolated: IsolatedGit, tree: string): Promise<Map<string, string>> {
  const records = splitNames(await isolated.git(['ls-tree', '-r', '-z', tree]))
  return new Map(
    records.map(record => {
      const [mode = '', , oid = ''] = record.slice(0, record.indexOf('\t')).split(' ')
      return [record.slice(record.indexOf('\t') + 1), `${mode} ${oid}`]
    }),
  )
}

// A link, not a copy: git compares the index's own time with those of files, and never writes an index in place.
async function loadIndex(repository: Repository, index: string): Promise<void> {
  const saved = join(beckonFolder(repository), 'index')
  await link(saved, index).catch(error => (error.code === 'ENOENT' ? undefined : copyIndex(saved, index)))
}

/** Its time is rounded down to the second: git checks files more closely against an older index. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from)
  await copyFile(from, to)
  const seconds = Math.floor(mtimeMs / 1000)
  await utimes(to, seconds, seconds)
}

/** The entries of our index, and which files have changed on disk since. */
async function readIndex(isolated: IsolatedGit, env: Record<string, string>): Promise<IndexState> {
  const [entries, changes] = await Promise.all([
    isolated.git(['ls-files', '-z', '--stage'], { env }),
    isolated.git(['diff-files', '-z', '--name-only', '--no-renames', '--ignore-submodules=all'], { env }),
  ])
  const parsed = splitNames(entries).map((record): [string, string] => {
    const tab = record.indexOf('\t')
    return [record.slice(tab + 1), record.slice(0, tab).split(' ').slice(0, 2).join(' ')]
  })
  return { entries: new Map(parsed), changed: new Set(splitNames(changes)) }
}

async function applyUpdate(
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
  for (let i = 0; i < update.hash.length; i += batchSize) {
    const input = joinNames(update.hash.slice(i, i + batchSize))
    await isolated.git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], { env, input })
  }
}

// Git saves the index after each batch, so a cancelled update loses no more than one.
const batchSize = 5_000

async function writeTree(repository: Repository, isolated: IsolatedGit, env: Record<string, string>): Promise<string> {
  // In a partial clone, objects may be missing because they were never fetched.
  const missing = repository.partial ? ['--missing-ok'] : []
  return line(await isolated.git(['write-tree', ...missing], { env }))
}

async function saveIndex(repository: Repository, index: string): Promise<void> {
  // There is none when the tree is empty.
  await rename(index, join(beckonFolder(repository), 'index')).catch(() => {})
}
