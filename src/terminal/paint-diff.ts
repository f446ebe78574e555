import { diffLines } from './diff-lines.ts'
import { paint } from './paint.ts'
import { columnsOf, hasColour, type Terminal } from './terminal.ts'

/** A diff with the terminal's colours, for its pager. */
export function paintDiff(terminal: Terminal, diff: string): string {
  const colour = hasColour(terminal)
  return diffLines(diff, columnsOf(terminal))
    .map(line => paint(line, colour))
    .join('\n')
}
