import type { Line } from '../../text/styled.ts'
import { renderMarkdown } from '../markdown/markdown.ts'

/**
 * Markdown as it comes, piece by piece. What can no longer change is handed out as lines that stay; the rest is drawn
 * anew with every piece.
 */
export class MarkdownStream {
  #text = ''
  #any = false

  /** The lines that are final by now. */
  push(piece: string, columns: number): Line[] {
    this.#text += piece
    const end = lastBlockEnd(this.#text)
    if (end === 0) return []
    const lines = this.#take(this.#text.slice(0, end), columns)
    this.#text = this.#text.slice(end)
    return lines
  }

  /** What is still being written. */
  open(columns: number): Line[] {
    return this.#text.trim() === '' ? [] : renderMarkdown(this.#text, columns)
  }

  /** All the rest. */
  end(columns: number): Line[] {
    const lines = this.#take(this.#text, columns)
    this.#text = ''
    this.#any = false
    return lines
  }

  /** Forgets what was not handed out yet. */
  drop(): void {
    this.#text = ''
  }

  #take(text: string, columns: number): Line[] {
    if (text.trim() === '') return []
    const lines = renderMarkdown(text, columns)
    const gap = this.#any ? [[]] : []
    this.#any = true
    return [...gap, ...lines]
  }
}

/** The end of the last block that is whole: an empty line outside of a fence, and not within a list. */
function lastBlockEnd(text: string): number {
  let end = 0
  let fence: string | null = null
  let at = 0
  let inList = false
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    // The last line may go on.
    if (i === lines.length - 1) break
    at += line.length + 1
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
    } else if (mark) fence = mark
    else if (/^\s*([-*+]|\d+[.)])\s/.test(line)) inList = true
    else if (line.trim() === '') {
      const next = lines.slice(i + 1).find(other => other.trim() !== '')
      // What follows a list may still belong to it.
      if (inList && (next === undefined || /^(\s|[-*+]|\d)/.test(next))) continue
      inList = false
      end = at
    }
  }
  return end
}
