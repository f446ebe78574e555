import { graphemesIn, widthOf } from '../text/width.ts'

// Where the cursor can go from a place in a text. Each looks only at the text around it, so that a step in a text of
// thousands of lines takes no longer than in a short one.

const longestGrapheme = 256
const longestWord = 1_000
// Made on first use: it takes several milliseconds.
let words: Intl.Segmenter | null = null

export function before(text: string, at: number): number {
  const from = Math.max(lineStart(text, at), at - longestGrapheme)
  const last = [...graphemesIn(text.slice(from, at))].at(-1)
  return last ? from + last.index : Math.max(0, at - 1)
}

export function after(text: string, at: number): number {
  const [first] = graphemesIn(text.slice(at, at + longestGrapheme))
  return at + (first?.segment.length ?? 0)
}

/** The start of the word before the cursor, in any script: `你好世界` is two words. */
export function wordStart(text: string, at: number): number {
  const from = Math.max(0, at - longestWord)
  const last = [...wordsIn(text.slice(from, at))].findLast(isWord)
  return last ? from + last.index : 0
}

/** The end of the word after the cursor. */
export function wordEnd(text: string, at: number): number {
  for (const word of wordsIn(text.slice(at, at + longestWord))) {
    if (isWord(word)) return at + word.index + word.segment.length
  }
  return text.length
}

/** The start of what stands before the cursor up to a white space, as Ctrl-W has it. */
export function spaceBefore(text: string, at: number): number {
  const from = Math.max(0, at - longestWord)
  return from + text.slice(from, at).replace(/\S*\s*$/u, '').length
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The same column of the line above or below; null on the first and the last line. */
export function otherLine(text: string, at: number, by: -1 | 1): number | null {
  const start = lineStart(text, at)
  const end = lineEnd(text, at)
  if (by < 0 ? start === 0 : end === text.length) return null
  const from = by < 0 ? lineStart(text, start - 1) : end + 1
  const to = by < 0 ? start - 1 : lineEnd(text, end + 1)
  return from + indexAtColumn(text.slice(from, to), widthOf(text.slice(start, at)))
}

function indexAtColumn(line: string, column: number): number {
  let width = 0
  for (const { segment, index } of graphemesIn(line)) {
    width += widthOf(segment)
    if (width > column) return index
  }
  return line.length
}

function wordsIn(text: string): Intl.Segments {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return words.segment(text)
}

/** A paste that is shown as one character counts as a word. */
function isWord({ segment, isWordLike }: Intl.SegmentData): boolean {
  return isWordLike === true || /^\p{Cs}$/u.test(segment)
}
