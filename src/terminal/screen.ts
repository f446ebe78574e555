import type { Line } from '../text/styled.ts'
import { widthOfLine } from '../text/styled.ts'
import { paint } from './paint.ts'
import { columnsOf, hasColour, rowsOf, type Terminal } from './terminal.ts'

export interface Frame {
  readonly lines: readonly Line[]
  /** Where to show the cursor; null to hide it. */
  readonly cursor: { readonly row: number; readonly column: number } | null
}

const esc = '\x1b['
const hideCursor = `${esc}?25l`
const showCursor = `${esc}?25h`
// Lines are already cut to the width. A terminal that counts a character as wider than we do must not fold them.
const wraps = { off: `${esc}?7l`, on: `${esc}?7h` }
// Not from the first column: some terminals copy the screen to their history when all of it is erased from its corner.
const eraseBelow = `${esc}K${esc}C${esc}J\r`
const alternate = { on: `${esc}?1049h`, off: `${esc}?1049l` }

export interface Screen {
  draw(frame: Frame): void
  /** Writes permanent lines above the frame. */
  leave(lines: readonly Line[]): void
  /** Removes the frame. */
  close(): void
}

/** Draws frames below the existing output, each replacing the one before. Lines must fit the width of the screen. */
export function openInline(terminal: Terminal): Screen {
  const { output } = terminal
  const colour = hasColour(terminal)
  let drawn: Frame = { lines: [], cursor: null }
  /** Lines of ours above the screen, because the terminal has become smaller. It may bring them back. */
  let hidden: readonly Line[] = []
  let height = 0
  return { draw, leave, close }

  function draw(frame: Frame) {
    const text = frame.lines.map(line => paint(line, colour)).join('\r\n')
    output.write(`${hideCursor}${erase()}${wraps.off}${text}${wraps.on}${placeCursor(frame)}`)
    drawn = frame
    height = rowsOf(terminal)
  }

  function leave(lines: readonly Line[]) {
    output.write(`${erase()}${lines.map(line => `${paint(line, colour)}\r\n`).join('')}`)
    drawn = { lines: [], cursor: null }
    hidden = []
  }

  function close() {
    output.write(`${erase()}${showCursor}`)
    drawn = { lines: [], cursor: null }
    hidden = []
  }

  /** If the terminal has become narrower since, it has folded our lines: counts them as it shows them now. */
  function erase(): string {
    if (drawn.lines.length === 0) return ''
    const columns = columnsOf(terminal)
    const upTo = drawn.cursor?.row ?? drawn.lines.length - 1
    const within = Math.floor((drawn.cursor?.column ?? lastColumn(drawn, columns)) / columns)
    const above = [...hidden, ...drawn.lines.slice(0, upTo)]
    const rows = rowsOf(terminal)
    const fitting = firstFitting(above, columns, rows - 1 - within)
    // It brings lines back only when it becomes higher.
    hidden = above.slice(0, rows > height ? fitting : Math.max(fitting, hidden.length))
    // Where the terminal has no more lines, moving up stops at its first one.
    return `\r${up(countRows(above, columns) + within)}${eraseBelow}`
  }
}

/** Uses the alternate screen, and restores the previous one when closed. */
export function openFull(terminal: Terminal): Screen {
  const { output } = terminal
  const colour = hasColour(terminal)
  output.write(`${alternate.on}${hideCursor}`)
  return {
    draw(frame) {
      // Erase before writing: after a line that reaches the edge, erasing would remove its last character.
      const last = frame.lines.length - 1
      const text = frame.lines.map((line, i) => `${esc}${i < last ? 'K' : 'J'}${paint(line, colour)}`).join('\r\n')
      output.write(`${hideCursor}${esc}H${text}${placeCursor(frame)}`)
    },
    leave() {},
    close() {
      output.write(`${showCursor}${alternate.off}`)
    },
  }
}

function placeCursor({ lines, cursor }: Frame): string {
  if (!cursor) return ''
  return `\r${up(lines.length - 1 - cursor.row)}${cursor.column > 0 ? `${esc}${cursor.column}C` : ''}${showCursor}`
}

function up(rows: number): string {
  return rows > 0 ? `${esc}${rows}A` : ''
}

function countRows(lines: readonly Line[], columns: number): number {
  return lines.reduce((rows, line) => rows + rowsOfLine(line, columns), 0)
}

/** The first of the lines at the end that fit into the rows. */
function firstFitting(lines: readonly Line[], columns: number, rows: number): number {
  let first = lines.length
  let free = rows
  for (; first > 0; first -= 1) {
    free -= rowsOfLine(lines[first - 1] ?? [], columns)
    if (free < 0) break
  }
  return first
}

function rowsOfLine(line: Line, columns: number): number {
  return Math.max(1, Math.ceil(widthOfLine(line) / columns))
}

function lastColumn({ lines }: Frame, columns: number): number {
  const width = widthOfLine(lines.at(-1) ?? [])
  // After a full line, the cursor is on its last column.
  return width > 0 && width % columns === 0 ? width - 1 : width
}
