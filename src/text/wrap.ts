import { indentation, type Line, type Span, type Style, span } from './styled.ts'
import { graphemesIn, widthOf } from './width.ts'

/**
 * Breaks a line into lines of at most the given width: at spaces or between wide characters if possible, otherwise
 * between any two graphemes. Only spaces at a break are dropped. A grapheme wider than the width gets its own line.
 */
export function wrap(line: Line, columns: number, hanging = 0): Line[] {
  const room = Math.max(1, columns)
  // The indent must leave room for a wide character.
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

/** Breaks a line exactly at the width and keeps all spaces, for text in which every column matters. */
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

/** A grapheme with what the layout needs to know about it. */
interface Cell {
  readonly text: string
  readonly width: number
  readonly styles: readonly Style[]
}

const unstyled: readonly Style[] = []
const ascii = /^[ -~]*$/

function cellsOf(line: Line): Cell[] {
  const cells: Cell[] = []
  // Text repeats its graphemes: measuring each only once keeps long lines fast.
  const widths = new Map<string, number>()
  for (const { text, styles = unstyled } of line) {
    if (ascii.test(text)) for (const character of text) cells.push({ text: character, width: 1, styles })
    else for (const { segment } of graphemesIn(text)) cells.push({ text: segment, width: measured(segment), styles })
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

/** The end of the line that begins at `start`. Visits every cell at most twice, so wrapping is linear. */
function endOfLine(cells: readonly Cell[], start: number, columns: number): number {
  let width = 0
  let lastBreak = start
  let indented = true
  for (let at = start; at < cells.length; at++) {
    const cell = cells[at] as Cell
    width += cell.width
    if (width > columns && at > start) return cell.text === ' ' || lastBreak === start ? at : lastBreak
    // Breaking in the indentation before the first word would leave an empty line.
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

/** The cells as a line. At a break, drops the spaces before it. */
function lineOf(cells: readonly Cell[], start: number, end: number): Line {
  let last = end
  if (end < cells.length) while (last > start && cells[last - 1]?.text === ' ') last--
  return spansOf(cells, start, last)
}

function spansOf(cells: readonly Cell[], start: number, end: number): Line {
  const spans: Span[] = []
  let from = start
  for (let at = start; at < end; at++) {
    const styles = cells[at]?.styles ?? unstyled
    if (at + 1 < end && cells[at + 1]?.styles === styles) continue
    const text = cells.slice(from, at + 1).map(cell => cell.text)
    spans.push(span(text.join(''), styles))
    from = at + 1
  }
  return spans
}
