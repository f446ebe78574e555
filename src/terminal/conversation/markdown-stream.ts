import type { Line } from '../../text/styled.ts'
import { renderMarkdown } from '../markdown/markdown.ts'

/** Renders Markdown while it arrives. Returns lines once they can no longer change; the rest is redrawn every time. */
export class MarkdownStream {
  #text = ''
  #hasLines = false

  /** The lines that have become final. */
  push(piece: string, columns: number): Line[] {
    this.#text += piece
    const end = lastBlockEnd(this.#text)
    if (end === 0) return []
    const lines = this.#take(this.#text.slice(0, end), columns)
    this.#text = this.#text.slice(end)
    return lines
  }

  /** The part that may still change. */
  open(columns: number): Line[] {
    return this.#text.trim() === '' ? [] : renderMarkdown(this.#text, columns)
  }

  /** Everything that is left. */
  end(columns: number): Line[] {
    const lines = this.#take(this.#text, columns)
    this.#text = ''
    this.#hasLines = false
    return lines
  }

  /** Discards what was not returned yet. */
  drop(): void {
    this.#text = ''
  }

  #take(text: string, columns: number): Line[] {
    if (text.trim() === '') return []
    const lines = renderMarkdown(text, columns)
    const gap = this.#hasLines ? [[]] : []
    this.#hasLines = true
    return [...gap, ...lines]
  }
}

/** The end of the last complete block: an empty line that is neither in a fence nor in a list. */
function lastBlockEnd(text: string): number {
  let end = 0
  let fence: string | null = null
  let at = 0
  let inList = false
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    // The last line may still grow.
    if (i === lines.length - 1) break
    at += line.length + 1
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
    } else if (mark) fence = mark
    else if (/^\s*([-*+]|\d+[.)])\s/.test(line)) inList = true
    else if (line.trim() === '') {
      const next = lines.slice(i + 1).find(other => other.trim() !== '')
      // What follows may still belong to the list.
      if (inList && (next === undefined || /^(\s|[-*+]|\d)/.test(next))) continue
      inList = false
      end = at
    }
  }
  return end
}
