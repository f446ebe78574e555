import type { Line } from '../../text/styled.ts'
import { renderMarkdown } from '../markdown/markdown.ts'

// A part that takes longer to render is not rendered again for each word: typing must stay quick.
const quick = 1
const pauseShare = 10
// The lines of open code that are rendered: more than a screen has, which shows the end of them.
const mostCode = 200

interface Rendered {
  readonly text: string
  readonly columns: number
  readonly lines: Line[]
  /** Until then it may be shown although more has arrived. */
  readonly until: number
}

/** Renders Markdown while it arrives. Returns lines once they can no longer change; the rest is redrawn every time. */
export class MarkdownStream {
  readonly #now: () => number
  #text = ''
  #blocks = new BlockScanner()
  #hasLines = false
  /** The lines of the open part: the screen is drawn more often than that changes. */
  #open: Rendered | null = null

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The lines that have become final. */
  push(piece: string, columns: number): Line[] {
    this.#text += piece
    const end = this.#blocks.findEnd(this.#text)
    if (end === 0) return []
    const lines = this.#take(this.#text.slice(0, end), columns)
    this.#setText(this.#text.slice(end))
    return lines
  }

  /** The part that may still change. */
  open(columns: number): Line[] {
    const text = this.#text
    if (text.trim() === '') return []
    const known = this.#open
    const isRecent = known?.columns === columns && text.startsWith(known.text)
    if (isRecent && (known.text.length === text.length || this.#now() < known.until)) return known.lines
    const began = this.#now()
    const lines = renderMarkdown(endOfCode(text, this.#blocks.fence) ?? text, columns)
    const took = this.#now() - began
    this.#open = { text, columns, lines, until: began + (took > quick ? took * pauseShare : 0) }
    return lines
  }

  /** Everything that is left. */
  end(columns: number): Line[] {
    const lines = this.#take(this.#text, columns)
    this.drop()
    this.#hasLines = false
    return lines
  }

  /** Discards what was not returned yet. */
  drop(): void {
    this.#setText('')
  }

  #setText(text: string): void {
    this.#text = text
    this.#blocks = new BlockScanner()
  }

  #take(text: string, columns: number): Line[] {
    if (text.trim() === '') return []
    const lines = renderMarkdown(text, columns)
    const gap = this.#hasLines ? [[]] : []
    this.#hasLines = true
    return [...gap, ...lines]
  }
}

/** Of long code that has not ended, the last lines; null of anything else. */
function endOfCode(text: string, fence: Fence | null): string | null {
  if (fence === null) return null
  let from = text.length
  for (let count = 0; count < mostCode; count += 1) {
    from = text.lastIndexOf('\n', from - 1)
    if (from < fence.end) return null
  }
  return fence.line + text.slice(from)
}

interface Fence {
  /** Its opening line. */
  readonly line: string
  readonly mark: string
  /** Where the code begins. */
  readonly end: number
}

/** Finds complete blocks in a text that grows, and reads each line once. */
class BlockScanner {
  #at = 0
  #end = 0
  /** The code that has not ended. */
  fence: Fence | null = null
  #isInList = false
  /** After an empty line in a list: what follows may still belong to the list. */
  #maybeEnd: number | null = null

  /** The end of the last complete block: an empty line that is neither in a fence nor in a list. */
  findEnd(text: string): number {
    for (let next = text.indexOf('\n', this.#at); next >= 0; next = text.indexOf('\n', this.#at)) {
      const line = text.slice(this.#at, next)
      this.#at = next + 1
      this.#read(line)
    }
    // The last line may still grow, but its beginning says whether it belongs to the list.
    this.#endList(text.slice(this.#at, this.#at + 80))
    return this.#end
  }

  #read(line: string): void {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (this.fence !== null) {
      if (mark?.startsWith(this.fence.mark)) this.fence = null
      return
    }
    this.#endList(line)
    if (mark) this.fence = { line, mark, end: this.#at }
    else if (/^\s*([-*+]|\d+[.)])\s/.test(line)) this.#isInList = true
    else if (line.trim() === '') {
      if (this.#isInList) this.#maybeEnd = this.#at
      else this.#end = this.#at
    }
  }

  #endList(line: string): void {
    if (this.#maybeEnd === null || line.trim() === '') return
    if (!/^(\s|[-*+]|\d)/.test(line)) {
      this.#isInList = false
      this.#end = this.#maybeEnd
    }
    this.#maybeEnd = null
  }
}
