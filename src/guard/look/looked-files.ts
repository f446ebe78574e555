import { harmlessTitle } from '../../text/harmless.ts'
import { limits } from '../interpret/limits.ts'
import type { Span } from '../shell/syntax-tree.ts'
import type { ReadFile } from './file-reader.ts'

/** A file that was opened, because the command runs it. */
export interface LookedFile {
  readonly path: string
  /** As a person reads it: relative to the workspace. */
  readonly name: string
  readonly text: string
  /** Where its text begins among all texts, see `LookedFiles`. */
  readonly base: number
  /** Where each of its lines begins. */
  readonly lines: readonly number[]
  /** The part of the command that runs it. */
  readonly span: Span
}

/** A place in a file, for a person. */
export interface Place {
  readonly file: string
  readonly line: number
  /** The part of the command that leads there. */
  readonly span: Span
}

/**
 * The files that one command runs. Their texts lie behind the command's own on one axis, so that a span alone says which
 * file and line it is in, wherever its code is run: a function may be defined in one file and called in another.
 */
export class LookedFiles {
  readonly #read: ReadFile
  readonly #workspace: string
  readonly #byPath = new Map<string, LookedFile | null>()
  readonly #files: LookedFile[] = []
  readonly #visits = new Set<string>()
  #end: number
  #characters = 0

  constructor(read: ReadFile, workspace: string, commandLength: number) {
    this.#read = read
    this.#workspace = workspace
    this.#end = commandLength + 1
  }

  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path)
  }

  /** Null if the file stays unknown. A file is read once, whoever runs it. */
  open(path: string, span: Span): LookedFile | null {
    const known = this.#byPath.get(path)
    if (known !== undefined) return known
    if (this.#byPath.size >= limits.tries || this.#files.length >= limits.files || path.includes('\0')) return null
    const text = this.#textOf(path)
    if (text === null) {
      this.#byPath.set(path, null)
      return null
    }
    const shown = this.placeOf(span)?.span ?? span
    const file = { path, name: this.#nameOf(path), text, base: this.#end, lines: lineStarts(text), span: shown }
    this.#byPath.set(path, file)
    this.#files.push(file)
    this.#end += text.length + 1
    this.#characters += text.length
    return file
  }

  /** Whether this is the first visit to a part of a file: scripts may run each other in a circle. */
  visit(file: LookedFile, part: string): boolean {
    const key = `${file.base}\0${part}`
    if (this.#visits.has(key) || this.#visits.size >= limits.visits) return false
    this.#visits.add(key)
    return true
  }

  /** The file and line of a span; null if it is a span of the command itself. */
  placeOf([from]: Span): Place | null {
    const file = this.#files.findLast(({ base }) => base <= from)
    if (!file) return null
    return { file: file.name, line: lineAt(file, from - file.base), span: file.span }
  }

  #textOf(path: string): string | null {
    const text = this.#ask(path)
    if (text === null || text.length > limits.fileSize) return null
    return this.#characters + text.length > limits.fileSizeOfAll ? null : text
  }

  #ask(path: string): string | null {
    try {
      const read = this.#read(path)
      return 'text' in read ? read.text : null
    } catch {
      return null
    }
  }

  #nameOf(path: string): string {
    const root = `${this.#workspace}/`
    const name = harmlessTitle(path.startsWith(root) ? path.slice(root.length) : path)
    return name.length > 200 ? `…${name.slice(-200)}` : name
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The number of lines that begin at or before a position. */
function lineAt({ lines }: LookedFile, position: number): number {
  let low = 0
  let high = lines.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) <= position) low = middle
    else high = middle
  }
  return low + 1
}

/** A part of a file as a span. */
export function spanIn({ base }: LookedFile, from: number, to: number): Span {
  return [base + from, base + to]
}
