import { harmlessLines } from '../text/harmless.ts'
import { type Line, line, type Style } from '../text/styled.ts'
import { wrap } from '../text/wrap.ts'

/** An agent's text, made harmless, with its own line breaks and wrapped to the width. */
export function paragraphs(source: string, columns: number, styles: readonly Style[] = []): Line[] {
  return harmlessLines(source)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap(part => wrap(line(part, ...styles), columns))
}

export function indented(lines: readonly Line[], by = '  '): Line[] {
  return lines.map(one => (one.every(span => span.text === '') ? one : [...line(by), ...one]))
}
