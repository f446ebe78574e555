import type { FoundInstructions } from './instruction-files.ts'
import { findInstructions } from './instruction-files.ts'
import introduction from './instructions.md'

// Codex and Claude Code read about as much.
const maxCharacters = 40_000

/** A file of instructions, as the model got it. */
export interface ReadInstructions {
  readonly path: string
  readonly characters: number
  /** Only its beginning was read: all files together have a limit. */
  readonly cut: boolean
}

/** What the user and the project tell every agent. It is read again when it changes. */
export class ProjectInstructions {
  readonly #find: () => FoundInstructions
  readonly #max: number
  #known = ''
  /** The part of the system prompt; empty where there are none. */
  text = ''
  files: readonly ReadInstructions[] = []
  /** What was found and not read, in sentences for a person. */
  left: readonly string[] = []

  /** `limit` is the size of the context, in tokens: the instructions take at most a quarter of it. */
  constructor(home: string, cwd: string, limit: number) {
    this.#find = () => findInstructions(home, cwd)
    this.#max = Math.min(maxCharacters, limit)
  }

  /** Looks again; true where something has changed since. */
  refresh(): boolean {
    const found = this.#find()
    const known = JSON.stringify(found)
    if (known === this.#known) return false
    const isFirst = this.#known === ''
    this.#known = known
    this.left = found.left
    let room = this.#max
    const read: ReadInstructions[] = []
    const parts: string[] = []
    for (const { path, text, from } of found.files) {
      const kept = text.slice(0, room).toWellFormed()
      room -= kept.length
      read.push({ path, characters: kept.length, cut: kept.length < text.length })
      if (kept !== '') parts.push(quote(path, kept, from))
    }
    this.files = read
    this.text = parts.length === 0 ? '' : [introduction.trim(), ...parts].join('\n\n')
    return !isFirst || found.files.length > 0 || found.left.length > 0
  }
}

/** The text cannot end its own quotation and speak as somebody else. */
function quote(path: string, text: string, from: 'user' | 'project'): string {
  const inside = text.trim().replaceAll(/<(\/?)instructions\b/gi, '<$1\u200binstructions')
  return `<instructions from="${from}" file=${JSON.stringify(path)}>\n${inside}\n</instructions>`
}
