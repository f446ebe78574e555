import { unquotePath } from './git-path.ts'

// A unified diff, as git prints it, read into files and numbered lines. Everything in it is hostile text: a diff that is
// not well-formed yields fewer lines, never an error.

export interface DiffLine {
  readonly kind: 'hunk' | 'same' | 'added' | 'removed' | 'note'
  /** Without the sign. */
  readonly text: string
  /** Its number before and after the change; null where it does not exist. */
  readonly before: number | null
  readonly after: number | null
}

export interface DiffFile {
  readonly path: string
  /** What it was called before, where it was renamed. */
  readonly from: string | null
  readonly status: 'added' | 'changed' | 'deleted' | 'renamed'
  readonly binary: boolean
  /** Lines in all, also those that are not shown. */
  readonly added: number
  readonly removed: number
  /** Whether some of its lines are not shown. */
  readonly cut: boolean
  readonly lines: readonly DiffLine[]
}

/** Begins a line that says what is not shown; lines of files begin with another sign. */
export const notePrefix = '\\ '

export function parseDiff(diff: string): DiffFile[] {
  const files: FileReader[] = []
  let file: FileReader | null = null
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    // Without git there is no line before the two names.
    const starts = line.startsWith('diff --git ') || (line.startsWith('--- ') && (file === null || file.isPastHunks()))
    if (starts && !file?.isInHunk(line)) {
      file = new FileReader()
      files.push(file)
    }
    file?.read(line)
  }
  return files.map(one => one.file()).reduce(joinTypeChange, [])
}

/** Git prints a file that became a link, or the reverse, as one that is deleted and one that is added. */
function joinTypeChange(files: DiffFile[], next: DiffFile): DiffFile[] {
  const last = files.at(-1)
  if (last?.path !== next.path || last.status !== 'deleted' || next.status !== 'added') return [...files, next]
  const joined: DiffFile = {
    ...next,
    status: 'changed',
    binary: last.binary || next.binary,
    added: last.added + next.added,
    removed: last.removed + next.removed,
    cut: last.cut || next.cut,
    lines: [...last.lines, ...next.lines],
  }
  return [...files.slice(0, -1), joined]
}

const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const counts = /^\\ .*\+(\d+) -(\d+)/

class FileReader {
  readonly #lines: DiffLine[] = []
  readonly #head: string[] = []
  readonly #next = { before: 0, after: 0 }
  readonly #left = { before: 0, after: 0 }
  #told: { added: number; removed: number } | null = null
  #cut = false

  isInHunk(line: string): boolean {
    return (this.#left.before > 0 || this.#left.after > 0) && /^[ +\\-]/.test(line)
  }

  isPastHunks(): boolean {
    return this.#lines.length > 0 && this.#left.before === 0 && this.#left.after === 0
  }

  read(line: string): void {
    const [, before, beforeCount = '1', after, afterCount = '1'] = hunk.exec(line) ?? []
    if (line.startsWith(notePrefix)) this.#readNote(line)
    else if (before !== undefined && after !== undefined) {
      Object.assign(this.#next, { before: Number(before), after: Number(after) })
      Object.assign(this.#left, { before: Number(beforeCount), after: Number(afterCount) })
      this.#lines.push({ kind: 'hunk', text: line, before: null, after: null })
    } else if (this.#left.before > 0 || this.#left.after > 0) this.#readLine(line)
    else if (this.#lines.length === 0) this.#head.push(line)
  }

  file(): DiffFile {
    const count = (kind: DiffLine['kind']) => this.#lines.filter(line => line.kind === kind).length
    return {
      ...namesIn(this.#head),
      binary: this.#head.some(line => /^(Binary files .* differ|GIT binary patch)$/.test(line)),
      added: this.#told?.added ?? count('added'),
      removed: this.#told?.removed ?? count('removed'),
      cut: this.#cut,
      lines: this.#lines,
    }
  }

  #readNote(line: string): void {
    const [, added, removed] = counts.exec(line) ?? []
    if (added !== undefined) this.#told = { added: Number(added), removed: Number(removed) }
    if (!line.startsWith('\\ No newline')) this.#cut = true
    this.#lines.push({ kind: 'note', text: line.slice(notePrefix.length), before: null, after: null })
  }

  #readLine(line: string): void {
    const text = line.slice(1)
    const inBefore = !line.startsWith('+')
    const inAfter = !line.startsWith('-')
    if (inBefore) this.#left.before--
    if (inAfter) this.#left.after--
    this.#lines.push({
      kind: inBefore && inAfter ? 'same' : inAfter ? 'added' : 'removed',
      text,
      before: inBefore ? this.#next.before++ : null,
      after: inAfter ? this.#next.after++ : null,
    })
  }
}

function namesIn(head: readonly string[]): Pick<DiffFile, 'path' | 'from' | 'status'> {
  const after = (start: string) => head.find(line => line.startsWith(start))?.slice(start.length)
  const [renamedFrom, renamedTo] = [after('rename from '), after('rename to ')]
  if (renamedFrom !== undefined && renamedTo !== undefined) {
    return { path: unquotePath(renamedTo), from: unquotePath(renamedFrom), status: 'renamed' }
  }
  const [before, now] = [after('--- '), after('+++ ')].map(name => name && unquotePath(name.replace(/\t.*$/, '')))
  const path = [now, before].find(name => name && name !== '/dev/null')
  const isNew = before === '/dev/null' || after('new file mode ') !== undefined
  const isGone = now === '/dev/null' || after('deleted file mode ') !== undefined
  return {
    path: path ? withoutSide(path) : nameInHeader(after('diff --git ') ?? ''),
    from: null,
    status: isNew && isGone ? 'changed' : isNew ? 'added' : isGone ? 'deleted' : 'changed',
  }
}

/** `a/NAME b/NAME`, where the file has no lines to show. */
function nameInHeader(names: string): string {
  const [, quoted] = /^"(?:[^"\\]|\\.)*" ("(?:[^"\\]|\\.)*")$/.exec(names) ?? []
  if (quoted !== undefined) return withoutSide(unquotePath(quoted))
  const half = (names.length - 1) / 2
  return withoutSide(Number.isInteger(half) ? names.slice(half + 1) : names)
}

function withoutSide(path: string): string {
  return path.replace(/^[abciow]\//, '')
}
