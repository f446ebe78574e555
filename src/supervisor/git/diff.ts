import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { type Change, diffTrees, dropConverted, treeOfHead } from './changes.ts'
import { type IsolatedGit, withIsolatedGit } from './isolated-git-dir.ts'
import { listTree } from './listing.ts'
import { fromText, toText } from './names.ts'
import { findRepository, type Repository, readHead } from './repository.ts'
import { readSnapshot, usualLimits } from './snapshot.ts'
import { storeTree } from './tree.ts'

export interface FileDiff {
  /** From the root of the repository. */
  readonly file: string
  readonly status: 'added' | 'changed' | 'deleted' | 'renamed'
  /** As git prints it; of a binary file it says that it is one. */
  readonly diff: string
  /** Whether the diff was longer than it may be. */
  readonly cut: boolean
  /** Those of the paths it was asked for by. */
  readonly asked: readonly string[]
}

export interface DiffOptions {
  /** The commit of a later snapshot; without it, the tree as it is now. */
  readonly to?: string
  /** Bytes of the diff of one file. */
  readonly longest?: number
  /** Bytes of all of them; after that, files are named only. */
  readonly total?: number
  /** Also names the files that changed and were not asked for, without a diff. */
  readonly others?: boolean
  readonly signal?: AbortSignal
}

/**
 * Files with their diff since a snapshot, or since the last commit where there is none. `files` are paths from `cwd`, of
 * files or folders; others are left out. Null where there is no repository.
 */
export async function diffOf(
  cwd: string,
  from: string | null,
  files?: readonly string[],
  options: DiffOptions = {},
): Promise<FileDiff[] | null> {
  const repository = await findRepository(cwd, options.signal)
  if (!repository) return null
  const askedBy = await chooser(repository, cwd, files)
  return withIsolatedGit(repository, async isolated => {
    const { earlier, later, changes, real } = await compare(repository, isolated, from, options.to)
    const asked = new Map(real.map(change => [change, askedBy(change)]))
    const wanted = real.filter(change => !files || asked.get(change)?.length)
    const texts = await readTexts(isolated, earlier, later, changes, new Set(wanted), options)
    return (options.others ? real : wanted).map(change => ({
      file: toText(change.name),
      status: statuses[change.status] ?? 'changed',
      asked: asked.get(change) ?? [],
      ...(texts.get(change) ?? { diff: '', cut: true }),
    }))
  })
}

const statuses: Record<string, FileDiff['status']> = { A: 'added', D: 'deleted', R: 'renamed' }

async function chooser(repository: Repository, cwd: string, files: readonly string[] = []) {
  // Git says where the tree really is; the directory, and the names with it, may have come by a symbolic link.
  const real = await realpath(cwd)
  const places = files.map(file => ({
    file,
    names: [resolve(real, file), resolve(real, relative(cwd, resolve(cwd, file)))].map(place =>
      fromText(relative(repository.root, place)),
    ),
  }))
  return ({ name, oldName }: Change): string[] =>
    places.filter(({ names }) => names.some(one => isIn(one, name) || isIn(one, oldName))).map(({ file }) => file)
}

function isIn(place: string, name: string): boolean {
  return place === '' || place === name || name.startsWith(`${place}/`)
}

interface Comparison {
  readonly earlier: string
  readonly later: string
  readonly changes: readonly Change[]
  /** Without those that differ from the last commit only as git converts files on checkout. */
  readonly real: readonly Change[]
}

async function compare(
  repository: Repository,
  isolated: IsolatedGit,
  from: string | null,
  to?: string,
): Promise<Comparison> {
  const { head } = await readHead(repository)
  const earlier = from === null ? await treeOfHead(isolated, head) : (await readSnapshot(isolated, from)).tree
  if (to !== undefined) {
    const later = (await readSnapshot(isolated, to)).tree
    const changes = await diffTrees(isolated, earlier, later, renames)
    return { earlier, later, changes, real: changes }
  }
  const { tree, listing } = await storeTree(repository, isolated, () => listTree(repository), usualLimits)
  const changes = await diffTrees(isolated, earlier, tree, renames)
  const real = from === null ? await dropConverted(repository, isolated, head, listing, changes) : changes
  return { earlier, later: tree, changes, real }
}

const renames = '--find-renames'
const patch = ['diff-tree', '-r', '--patch', renames, '--no-ext-diff', '--no-textconv', '--no-color']
// Git holds a file in memory to compare it; above this it says no more than that they differ.
const largestCompared = ['-c', 'core.bigFileThreshold=20m']

/** Git prints the diffs in the order in which it lists the changes. */
async function readTexts(
  isolated: IsolatedGit,
  earlier: string,
  later: string,
  changes: readonly Change[],
  wanted: ReadonlySet<Change>,
  { longest = 64 * 1024, total = 4 * 1024 * 1024 }: DiffOptions,
): Promise<Map<Change, Text>> {
  const texts = new Map<Change, Text>()
  if (wanted.size === 0) return texts
  // A file that becomes a link, or the like, is shown as one deleted and one added.
  const owners = changes.flatMap(change => (change.status === 'T' ? [change, change] : [change]))
  let left = total
  const reader = new SectionReader(longest, (section, cut) => {
    const owner = owners.shift()
    if (!owner || !wanted.has(owner)) return
    const before = texts.get(owner) ?? { diff: '', cut: false }
    const fits = section.length <= left
    if (fits) left -= section.length
    texts.set(owner, { diff: before.diff + (fits ? section : ''), cut: before.cut || cut || !fits })
  })
  const call = { settings: largestCompared, onOutput: (chunk: Buffer) => reader.push(chunk) }
  await isolated.git([...patch, earlier, later], call)
  reader.end()
  return texts
}

type Text = Pick<FileDiff, 'diff' | 'cut'>

// Lines of a file never start like this in a diff: they have a sign before them.
const mark = Buffer.from('\ndiff --git ')

/** Cuts the output of git into the diffs of single files, and keeps no more than the beginning of each. */
class SectionReader {
  readonly #longest: number
  readonly #onSection: (text: string, cut: boolean) => void
  #rest: Buffer = Buffer.from('\n')
  #section: { kept: Buffer[]; length: number } | null = null

  constructor(longest: number, onSection: (text: string, cut: boolean) => void) {
    this.#longest = longest
    this.#onSection = onSection
  }

  push(chunk: Buffer): void {
    let rest = Buffer.concat([this.#rest, chunk])
    for (let at = rest.indexOf(mark); at >= 0; at = rest.indexOf(mark)) {
      this.#add(rest.subarray(0, at + 1))
      this.#finish()
      this.#section = { kept: [], length: 0 }
      rest = rest.subarray(at + 1)
    }
    const unsure = Math.min(rest.length, mark.length - 1)
    this.#add(rest.subarray(0, rest.length - unsure))
    this.#rest = rest.subarray(rest.length - unsure)
  }

  end(): void {
    this.#add(this.#rest)
    this.#finish()
  }

  #add(bytes: Buffer): void {
    const section = this.#section
    if (!section) return
    const room = this.#longest - section.length
    // A copy: the chunk that it is part of need not stay in memory.
    if (room > 0) section.kept.push(Buffer.from(bytes.subarray(0, room)))
    section.length += bytes.length
  }

  #finish(): void {
    if (!this.#section) return
    const cut = this.#section.length > this.#longest
    const kept = Buffer.concat(this.#section.kept)
    // To the end of a line, which is also the end of a character.
    const end = cut ? kept.lastIndexOf(10) + 1 : kept.length
    this.#onSection(kept.toString('utf8', 0, end), cut)
  }
}
