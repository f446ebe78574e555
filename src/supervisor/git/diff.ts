import { lstatSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { type Change, diffTrees, dropConverted, treeOfHead } from './changes.ts'
import { type IsolatedGit, withIsolatedGit } from './isolated-git-dir.ts'
import { listTree } from './listing.ts'
import { fromText, pathOf, toText } from './names.ts'
import { findRepository, type Repository, readHead } from './repository.ts'
import { defaultLimits, readSnapshot } from './snapshot.ts'
import { storeTree } from './tree.ts'

export interface FileDiff {
  /** Its path from the root of the repository. */
  readonly file: string
  readonly status: 'added' | 'changed' | 'deleted' | 'renamed'
  /** As git prints it; for a binary file, only that it is one. */
  readonly diff: string
  /** Whether the diff was too long, and was cut. */
  readonly cut: boolean
  /** Lines in all, also those that were cut off. */
  readonly added: number
  readonly removed: number
  /** Bytes of a file that is too large to compare: nobody knows whether it changed. */
  readonly tooLarge?: number
  /** Which of the given paths it matches. */
  readonly asked: readonly string[]
}

export interface DiffOptions {
  /** The commit of a later snapshot; without it, the tree as it is now. */
  readonly to?: string
  /** The most bytes of one file's diff. */
  readonly longest?: number
  /** The most bytes of all diffs; files beyond it are only named. */
  readonly total?: number
  /** Whether to list the other changed files too, and those that cannot be compared. */
  readonly others?: boolean
  readonly signal?: AbortSignal
}

/**
 * The changed files with their diffs since a snapshot, or since the last commit without one. `files` are paths of files or
 * folders from `cwd`; other files are left out. Null where there is no repository.
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
    const { earlier, later, changes, real, leftOut } = await compare(repository, isolated, from, options.to)
    const asked = new Map(real.map(change => [change, askedBy(change)]))
    const wanted = real.filter(change => options.others || !files || asked.get(change)?.length)
    const texts = await readTexts(isolated, earlier, later, changes, new Set(wanted), options)
    const diffs = wanted.map(change => ({
      file: toText(change.name),
      status: statuses[change.status] ?? 'changed',
      asked: asked.get(change) ?? [],
      ...(texts.get(change) ?? { diff: '', cut: true, added: 0, removed: 0 }),
    }))
    return options.others ? [...diffs, ...leftOut.map(name => notCompared(repository, name, askedBy))] : diffs
  })
}

function notCompared({ root }: Repository, name: string, askedBy: (change: NamedChange) => string[]): FileDiff {
  const asked = askedBy({ name, oldName: name })
  const tooLarge = lstatSync(pathOf(root, name), { throwIfNoEntry: false })?.size ?? 0
  return { file: toText(name), status: 'changed', diff: '', cut: true, added: 0, removed: 0, asked, tooLarge }
}

type NamedChange = Pick<Change, 'name' | 'oldName'>

const statuses: Record<string, FileDiff['status']> = { A: 'added', D: 'deleted', R: 'renamed' }

async function chooser(repository: Repository, cwd: string, files: readonly string[] = []) {
  // Git resolves symbolic links in the path of its tree; `cwd` and the given names may contain some.
  const real = await realpath(cwd)
  const wanted = files.map(file => ({
    file,
    names: [resolve(real, file), resolve(real, relative(cwd, resolve(cwd, file)))].map(path =>
      fromText(relative(repository.root, path)),
    ),
  }))
  return ({ name, oldName }: NamedChange): string[] =>
    wanted.filter(({ names }) => names.some(path => isIn(path, name) || isIn(path, oldName))).map(({ file }) => file)
}

function isIn(path: string, name: string): boolean {
  return path === '' || path === name || name.startsWith(`${path}/`)
}

interface Comparison {
  readonly earlier: string
  readonly later: string
  readonly changes: readonly Change[]
  /** Without files that differ from the last commit only by what git converts on checkout. */
  readonly real: readonly Change[]
  /** Files that are too large to be in the later tree. */
  readonly leftOut: readonly string[]
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
    return { earlier, later, changes, real: changes, leftOut: [] }
  }
  const { tree, listing, leftOut } = await storeTree(repository, isolated, () => listTree(repository), defaultLimits)
  const changes = await diffTrees(isolated, earlier, tree, renames)
  const real = from === null ? await dropConverted(repository, isolated, head, listing, changes) : changes
  return { earlier, later: tree, changes, real, leftOut }
}

const renames = '--find-renames'
const patch = ['diff-tree', '-r', '--patch', renames, '--no-ext-diff', '--no-textconv', '--no-color']
// Git reads a file into memory to compare it; above this size it only says that the files differ.
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
  // Git shows a change of type, such as a file that becomes a link, as one deleted and one added file.
  const owners = changes.flatMap(change => (change.status === 'T' ? [change, change] : [change]))
  let left = total
  const reader = new SectionReader(longest, ({ diff, cut, added, removed }) => {
    const owner = owners.shift()
    if (!owner || !wanted.has(owner)) return
    const before = texts.get(owner) ?? { diff: '', cut: false, added: 0, removed: 0 }
    const fits = diff.length <= left
    if (fits) left -= diff.length
    texts.set(owner, {
      diff: before.diff + (fits ? diff : ''),
      cut: before.cut || cut || !fits,
      added: before.added + added,
      removed: before.removed + removed,
    })
  })
  const call = { settings: largestCompared, onOutput: (chunk: Buffer) => reader.push(chunk) }
  await isolated.git([...patch, earlier, later], call)
  reader.end()
  return texts
}

type Text = Pick<FileDiff, 'diff' | 'cut' | 'added' | 'removed'>

// A line of a file never starts like this in a diff: a sign precedes it.
const sectionStart = Buffer.from('\ndiff --git ')

/** Splits git's output into the diffs of single files, and keeps only the beginning of each. */
class SectionReader {
  readonly #longest: number
  readonly #onSection: (text: Text) => void
  #rest: Buffer = Buffer.from('\n')
  #section: { kept: Buffer[]; length: number; lines: LineCounter } | null = null

  constructor(longest: number, onSection: (text: Text) => void) {
    this.#longest = longest
    this.#onSection = onSection
  }

  push(chunk: Buffer): void {
    let rest = Buffer.concat([this.#rest, chunk])
    for (let at = rest.indexOf(sectionStart); at >= 0; at = rest.indexOf(sectionStart)) {
      this.#add(rest.subarray(0, at + 1))
      this.#finish()
      this.#section = { kept: [], length: 0, lines: new LineCounter() }
      rest = rest.subarray(at + 1)
    }
    const unsure = Math.min(rest.length, sectionStart.length - 1)
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
    // A copy, so that the chunk does not stay in memory.
    if (room > 0) section.kept.push(Buffer.from(bytes.subarray(0, room)))
    section.length += bytes.length
    section.lines.push(bytes)
  }

  #finish(): void {
    if (!this.#section) return
    const cut = this.#section.length > this.#longest
    const kept = Buffer.concat(this.#section.kept)
    // Cut at the end of a line, which is also the end of a character.
    const end = cut ? kept.lastIndexOf(10) + 1 : kept.length
    const { added, removed } = this.#section.lines
    this.#onSection({ diff: kept.toString('utf8', 0, end), cut, added, removed })
  }
}

const [at, plus, minus, lineEnd] = ['@', '+', '-', '\n'].map(sign => sign.charCodeAt(0))

/** Counts the added and removed lines of one file's diff, in pieces of any size. */
class LineCounter {
  added = 0
  removed = 0
  #isInHunks = false
  #isLineStart = true

  push(bytes: Buffer): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.#isLineStart) this.#count(bytes[from])
      const end = bytes.indexOf(lineEnd ?? 10, from)
      this.#isLineStart = end >= 0
      from = end < 0 ? bytes.length : end + 1
    }
  }

  // The lines above the first hunk name the file, with the same signs.
  #count(sign: number | undefined): void {
    if (sign === at) this.#isInHunks = true
    else if (this.#isInHunks && sign === plus) this.added++
    else if (this.#isInHunks && sign === minus) this.removed++
  }
}
