import { styleText } from 'node:util'
import { widthOf } from '../text/width.ts'

// Text is laid out bare and painted last, so that no width is ever counted over an escape sequence.
export type Look =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'inverse'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan'

export interface Span {
  readonly text: string
  readonly looks?: readonly Look[]
}

export type Line = readonly Span[]

/** One line from a text with looks. */
export function line(text: string, ...looks: Look[]): Line {
  return [spanOf(text, looks)]
}

export function widthOfLine(line: Line): number {
  return line.reduce((width, span) => width + widthOf(span.text), 0)
}

/**
 * Breaks a line into lines of at most so many columns: at spaces or between wide characters where it can, between any
 * two graphemes where it must. Only spaces at a break are dropped. A grapheme wider than the columns stands alone.
 */
export function wrap(line: Line, columns: number, hanging = 0): Line[] {
  const room = Math.max(1, columns)
  // Beside the indent there must be room for a wide character.
  const indent = hanging + 2 <= room ? hanging : 0
  const cells = cellsOf(line)
  const lines: Line[] = []
  let start = 0
  do {
    const before = lines.length === 0 ? 0 : indent
    const end = endOfLine(cells, start, room - before)
    lines.push([...indentation(before), ...lineOf(cells, start, end)])
    start = skipSpaces(cells, end)
  } while (start < cells.length)
  return lines
}

/** Breaks a line at the column edge and nowhere else, spaces and all: for text whose every column matters. */
export function chop(line: Line, columns: number): Line[] {
  const cells = cellsOf(line)
  const lines: Line[] = []
  let start = 0
  let width = 0
  cells.forEach((cell, at) => {
    width += cell.width
    if (width <= columns || at === start) return
    lines.push(spansOf(cells, start, at))
    start = at
    width = cell.width
  })
  return [...lines, spansOf(cells, start, cells.length)]
}

/** The line as a string for a terminal; without colour it is its bare text. */
export function paint(line: Line, colour: boolean): string {
  return line.map(span => (colour ? painted(span) : span.text)).join('')
}

/** Filled up with spaces to so many columns. */
export function fill(line: Line, columns: number): Line {
  return [...line, ...indentation(columns - widthOfLine(line))]
}

// A grapheme, with what the layout asks about it.
interface Cell {
  readonly text: string
  readonly width: number
  readonly looks: readonly Look[]
}

const plain: readonly Look[] = []
const ascii = /^[ -~]*$/
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function cellsOf(line: Line): Cell[] {
  const cells: Cell[] = []
  // A text repeats its graphemes; measuring each one once is what makes a long line quick.
  const widths = new Map<string, number>()
  for (const { text, looks = plain } of line) {
    if (ascii.test(text)) for (const character of text) cells.push({ text: character, width: 1, looks })
    else
      for (const { segment } of graphemes.segment(text)) cells.push({ text: segment, width: measured(segment), looks })
  }
  return cells

  function measured(grapheme: string): number {
    const known = widths.get(grapheme)
    if (known !== undefined) return known
    const width = widthOf(grapheme)
    widths.set(grapheme, width)
    return width
  }
}

/** Where the line that begins at `start` ends. Every cell is looked at twice at most, so wrapping is linear. */
function endOfLine(cells: readonly Cell[], start: number, columns: number): number {
  let width = 0
  let lastBreak = start
  let indented = true
  for (let at = start; at < cells.length; at++) {
    const cell = cells[at] as Cell
    width += cell.width
    if (width > columns && at > start) return cell.text === ' ' || lastBreak === start ? at : lastBreak
    // The indentation before the first word is no place to break: it would leave an empty line.
    indented &&= cell.text === ' '
    if (!indented && mayBreakAfter(cell, cells[at + 1])) lastBreak = at + 1
  }
  return cells.length
}

const opening = /^[（「『【〈《〔［｛]/
const closing = /^[）」』】〉》〕］｝、。，．：；！？ー々]/

function mayBreakAfter(cell: Cell, next: Cell | undefined): boolean {
  if (cell.text === ' ') return true
  return cell.width === 2 && next?.width === 2 && !opening.test(cell.text) && !closing.test(next.text)
}

function skipSpaces(cells: readonly Cell[], at: number): number {
  let next = at
  while (cells[next]?.text === ' ') next++
  return next
}

/** The cells as a line; where it was broken, the spaces before the break go. */
function lineOf(cells: readonly Cell[], start: number, end: number): Line {
  let last = end
  if (end < cells.length) while (last > start && cells[last - 1]?.text === ' ') last--
  return spansOf(cells, start, last)
}

function spansOf(cells: readonly Cell[], start: number, end: number): Line {
  const spans: Span[] = []
  let from = start
  for (let at = start; at < end; at++) {
    const looks = cells[at]?.looks ?? plain
    if (at + 1 < end && cells[at + 1]?.looks === looks) continue
    const text = cells.slice(from, at + 1).map(cell => cell.text)
    spans.push(spanOf(text.join(''), looks))
    from = at + 1
  }
  return spans
}

function spanOf(text: string, looks: readonly Look[]): Span {
  return looks.length === 0 ? { text } : { text, looks }
}

function indentation(columns: number): Line {
  return columns > 0 ? [{ text: ' '.repeat(columns) }] : []
}

function painted({ text, looks = plain }: Span): string {
  // Whether there is colour was decided by the caller, who knows the stream.
  return text === '' || looks.length === 0 ? text : styleText([...looks], text, { validateStream: false })
}
