import { widthOf } from './width.ts'

// Text is laid out without escape sequences and painted last, so that widths never count them.

export type Style =
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
  readonly styles?: readonly Style[]
}

export type Line = readonly Span[]

export function line(text: string, ...styles: Style[]): Line {
  return [span(text, styles)]
}

export function span(text: string, styles: readonly Style[]): Span {
  return styles.length === 0 ? { text } : { text, styles }
}

export function widthOfLine(line: Line): number {
  return line.reduce((width, span) => width + widthOf(span.text), 0)
}

/** Pads the line with spaces to the given width. */
export function fill(line: Line, columns: number): Line {
  return [...line, ...indentation(columns - widthOfLine(line))]
}

export function indentation(columns: number): Line {
  return columns > 0 ? [{ text: ' '.repeat(columns) }] : []
}
