import type { Line } from '../text/styled.ts'
import { widthOfLine } from '../text/styled.ts'
import { paint } from './paint.ts'
import { columnsOf, hasColour, type Terminal } from './terminal.ts'

export interface Frame {
  readonly lines: readonly Line[]
  /** Where the cursor is shown; nowhere when there is nothing to type. */
  readonly cursor: { readonly row: number; readonly column: number } | null
}

const esc = '\x1b['
const hideCursor = `${esc}?25l`
const showCursor = `${esc}?25h`
// Lines are cut to the screen by us; where a terminal counts a letter wider than we do, it must not fold them.
const wraps = { off: `${esc}?7l`, on: `${esc}?7h` }
const alternate = { on: `${esc}?1049h`, off: `${esc}?1049l` }

export interface Screen {
  draw(frame: Frame): void
  /** Writes lines that stay, above the frame. */
  leave(lines: readonly Line[]): void
  /** Takes the frame away. */
  close(): void
}

/** Draws frames below what is there already, and takes each away before the next. Lines must not be wider than the screen. */
export function openInline(terminal: Terminal): Screen {
  const { output } = terminal
  const colour = hasColour(terminal)
  let drawn: Frame = { lines: [], cursor: null }
  return { draw, leave, close }

  function draw(frame: Frame) {
    const text = frame.lines.map(line => paint(line, colour)).join('\r\n')
    output.write(`${hideCursor}${erase()}${wraps.off}${text}${wraps.on}${placeCursor(frame)}`)
    drawn = frame
  }

  function leave(lines: readonly Line[]) {
    output.write(`${erase()}${lines.map(line => `${paint(line, colour)}\r\n`).join('')}`)
    drawn = { lines: [], cursor: null }
  }

  function close() {
    output.write(`${erase()}${showCursor}`)
    drawn = { lines: [], cursor: null }
  }

  /** The terminal may have become narrower since, and have folded our lines: they are counted as it shows them now. */
  function erase(): string {
    if (drawn.lines.length === 0) return ''
    const columns = columnsOf(terminal)
    const upTo = drawn.cursor?.row ?? drawn.lines.length - 1
    const above = drawn.lines.slice(0, upTo).reduce((rows, line) => rows + rowsOfLine(line, columns), 0)
    const within = Math.floor((drawn.cursor?.column ?? lastColumn(drawn, columns)) / columns)
    return `\r${up(above + within)}${esc}J`
  }
}

/** A screen of its own, which gives the old one back when it is closed. */
export function openFull(terminal: Terminal): Screen {
  const { output } = terminal
  const colour = hasColour(terminal)
  output.write(`${alternate.on}${hideCursor}`)
  return {
    draw(frame) {
      // Erased before it is written: after a line that reaches the edge, erasing would take its last character away.
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

function rowsOfLine(line: Line, columns: number): number {
  return Math.max(1, Math.ceil(widthOfLine(line) / columns))
}

function lastColumn({ lines }: Frame, columns: number): number {
  const width = widthOfLine(lines.at(-1) ?? [])
  // A full line leaves the cursor on its last column.
  return width > 0 && width % columns === 0 ? width - 1 : width
}
