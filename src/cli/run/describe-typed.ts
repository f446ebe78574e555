import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'

const longest = 400

/** The lines that somebody typed, in quotes; null where there is no text in them. */
export function quoteTyped(typed: string): string | null {
  const lines = typed.split(/[\r\n]+/).filter(line => line.trim() !== '')
  return lines.length === 0 ? null : cut(lines.map(line => `"${harmlessTitle(line)}"`).join(', '), longest)
}
