import { styleText } from 'node:util'
import type { Line, Span } from '../text/styled.ts'

/** The line with the escape sequences for its styles; without colour, its bare text. */
export function paint(line: Line, colour: boolean): string {
  return line.map(span => (colour ? painted(span) : span.text)).join('')
}

function painted({ text, styles = [] }: Span): string {
  // The caller knows the stream and has already decided about colour.
  return text === '' || styles.length === 0 ? text : styleText([...styles], text, { validateStream: false })
}
