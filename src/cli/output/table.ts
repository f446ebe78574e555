import { cut, pad, widthOf } from '../../text/width.ts'
import type { Context } from '../context.ts'

// A last column narrower than this is useless.
const leastForLast = 24
const indent = '  '

/** Aligned columns. Where a terminal is too narrow for the last column, each row becomes a few lines instead. */
export function formatTable(
  head: readonly string[],
  rows: readonly string[][],
  { isTTY, columns }: Context['stdout'],
): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map(row => widthOf(row[i] ?? ''))))
  const room = isTTY && columns ? columns : Number.POSITIVE_INFINITY
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  const fits = before + Math.min(leastForLast, widths.at(-1) ?? 0) <= room
  const lines = fits ? [head, ...rows].map(aligned) : rows.flatMap(stacked)
  return lines.map(line => `${cut(line, room).trimEnd()}\n`).join('')

  function aligned(row: readonly string[]): string {
    return row.map((cell, i) => (i === row.length - 1 ? cell : pad(cell, widths[i] ?? 0))).join('  ')
  }
}

/** The id on its own line, easy to copy; then the short cells; then the last one. */
function stacked(row: readonly string[]): string[] {
  const [id = '', ...rest] = row
  const last = rest.pop() ?? ''
  return [id, `${indent}${rest.filter(Boolean).join('  ')}`, ...(last ? [`${indent}${last}`] : [])]
}
