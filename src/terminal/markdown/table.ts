import type { Tokens } from 'marked'
import { fill, type Line, line, widthOfLine } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { renderInline } from './inline.ts'

/** A table in aligned columns, or row by row if they are too wide. Undefined if Marked dropped cells of it. */
export function renderTable(table: Tokens.Table, columns: number): Line[] | undefined {
  if (hasMoreCells(table)) return undefined
  const header = table.header.map(cell => renderInline(cell.tokens, 'bold').flat())
  const rows = table.rows.map(row => row.map(cell => renderInline(cell.tokens).flat()))
  const widths = header.map((_, column) => widest([header, ...rows], column))
  const total = widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1)
  return total <= columns ? grid(header, rows, widths, table.align) : rowByRow(header, rows, columns)
}

const gap = '  '

/** Markdown drops cells beyond the header's, so text could hide there. */
function hasMoreCells(table: Tokens.Table): boolean {
  const separators = /(?<!\\)\|/g
  return table.raw.split('\n').some(row => {
    const inner = row.trim().replace(/^\|/, '').replace(separators, '\n').replace(/\n$/, '')
    return inner.split('\n').length > table.header.length
  })
}

function widest(rows: readonly Line[][], column: number): number {
  return rows.reduce((width, row) => Math.max(width, widthOfLine(row[column] ?? [])), 1)
}

function grid(header: Line[], rows: Line[][], widths: number[], align: Tokens.Table['align']): Line[] {
  const rule = widths.map(width => line('─'.repeat(width), 'dim'))
  return [header, rule, ...rows].map(row =>
    widths.flatMap((width, column) => [
      ...(column === 0 ? [] : [{ text: gap }]),
      ...aligned(row[column] ?? [], width, align[column] ?? 'left'),
    ]),
  )
}

function aligned(cell: Line, columns: number, align: 'left' | 'center' | 'right'): Line {
  const spare = columns - widthOfLine(cell)
  const before = align === 'left' ? 0 : align === 'right' ? spare : Math.floor(spare / 2)
  return fill(before > 0 ? [{ text: ' '.repeat(before) }, ...cell] : cell, columns)
}

function rowByRow(header: Line[], rows: Line[][], columns: number): Line[] {
  if (rows.length === 0) return header.flatMap(name => wrap(name, columns))
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((value, column) => wrap(labelled(header[column] ?? [], value), columns, gap.length)),
  ])
}

function labelled(name: Line, value: Line): Line {
  return widthOfLine(name) === 0 ? value : [...name, ...line(': ', 'bold'), ...value]
}
