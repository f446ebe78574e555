import { harmless, harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut, pad, widthOf } from '../../text/width.ts'
import { type Editor, editorOf } from '../editor.ts'
import { layOutEditor } from '../editor-layout.ts'
import { inRows } from '../rich/footer.ts'
import type { Frame } from '../screen.ts'
import type { HistorySearch } from './history-search.ts'
import type { InputBox } from './input-box.ts'
import type { Menu } from './menu.ts'

const promptMark = '> '
const maxRows = 12
const maxQueued = 3
const maxItems = 14

/** The box at the bottom of the screen: what is queued, the text, and the hint. */
export function boxFrame(box: InputBox, hint: string, columns: number, rows: number): Frame {
  const found = box.search?.found ?? null
  const { lines, row, column } = layOutEditor(
    found === null ? box.editor : editorOf(found),
    columns - promptMark.length - 1,
  )
  // Keep the line with the cursor visible, however long the text is.
  const room = Math.max(1, Math.min(maxRows, Math.floor(rows / 2)))
  const first = Math.max(0, Math.min(row - room + 1, lines.length - room))
  const visible = lines.slice(first, first + room)
  const above = [...queuedLines(box, columns), line('─'.repeat(columns), 'dim')]
  return {
    lines: [
      ...above,
      ...visible.map((one, i) => [...line(i + first === 0 ? promptMark : '  ', 'cyan'), ...one]),
      ...bottomLines(box, hint, columns, rows),
    ],
    cursor: { row: above.length + row - first, column: column + promptMark.length },
  }
}

/** The completions, the search, or the hint. */
function bottomLines({ menu, search, notice }: InputBox, hint: string, columns: number, rows: number): Line[] {
  if (search) return hintLines(describeSearch(search), columns)
  if (menu.items.length > 0) return menuLines(menu, columns, Math.max(3, Math.min(maxItems, Math.floor(rows / 2) - 2)))
  return hintLines(notice || hint, columns)
}

/** On a narrow screen, in several rows. */
function hintLines(hint: string, columns: number): Line[] {
  return inRows(hint.split(' · '), columns - 2).map(row => line(`  ${row}`, 'dim'))
}

function describeSearch({ query, found }: HistorySearch): string {
  if (query === '') return 'Search: type a part of an earlier message · Esc back'
  if (found === null) return `Search: ${harmlessTitle(query)} · nothing found · Esc back`
  return `Search: ${harmlessTitle(query)} · Enter takes it · Ctrl-R older · Esc back`
}

function menuLines({ items, selected }: Menu, columns: number, most: number): Line[] {
  const first = Math.max(0, Math.min(selected - most + 1, items.length - most))
  const visible = items.slice(first, first + most)
  const more = items.length - visible.length
  const width = Math.min(Math.floor(columns / 2), Math.max(...visible.map(({ text }) => widthOf(text))))
  const rows = visible.map(({ text, detail }, i) => {
    const isSelected = first + i === selected
    const name = detail === undefined ? text : pad(cut(text, width), width)
    const row = cut(
      `${isSelected ? '❯' : ' '} ${harmless(name)}${detail === undefined ? '' : `  ${harmless(detail)}`}`,
      columns,
    )
    return isSelected ? line(row, 'cyan') : line(row, 'dim')
  })
  return more > 0 ? [...rows, line(`  … ${more} more`, 'dim')] : rows
}

/** A message as it stays in the transcript. */
export function echoLines(message: Editor, columns: number): Line[] {
  const { lines } = layOutEditor(message, columns - promptMark.length)
  return lines.map((one, i) => bold([...line(i === 0 ? promptMark : '  '), ...one]))
}

function queuedLines({ queued, isHeld, editor }: InputBox, columns: number): Line[] {
  if (queued.length === 0) return []
  const hidden = Math.max(0, queued.length - maxQueued)
  const keys = editor.text === '' ? `${isHeld ? 'Enter sends · ' : ''}Up edits the last one` : ''
  return [
    ...(hidden > 0 ? [line(`  … ${hidden} more queued`, 'dim')] : []),
    ...queued.slice(hidden).map(message => line(cut(`  queued: ${titleOf(message, columns)}`, columns), 'yellow')),
    ...(keys ? [line(cut(`  ${keys}`, columns), 'dim')] : []),
  ]
}

/** The message on one line, which may be too long. */
function titleOf(message: Editor, columns: number): string {
  const oneLine = { ...message, shown: message.shown.replaceAll('\n', ' ') }
  const { lines } = layOutEditor(oneLine, columns - promptMark.length - 1)
  return lines.flatMap(line => line.map(({ text }) => text)).join('')
}

function bold(spans: Line): Line {
  return spans.map(({ text, styles = [] }) => ({ text, styles: [...styles, 'bold'] }))
}
