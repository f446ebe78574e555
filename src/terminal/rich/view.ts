import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { indented, paragraphs } from '../describe-request.ts'
import { layOut } from '../editor-layout.ts'
import type { Frame } from '../screen.ts'
import type { Dialog } from './dialog.ts'
import { footer } from './footer.ts'
import type { Row } from './option-rows.ts'

export interface Size {
  columns: number
  rows: number
}

/** Lines of which some must be seen: the lit row, or the line that is written on. */
interface Body {
  lines: Line[]
  focus: { from: number; to: number }
  cursor: { row: number; column: number } | null
}

export interface ViewOptions {
  /** What belongs above it on a screen of its own. */
  head?: readonly Line[]
  /** Whether keys are taken already: they are named once they are. */
  listening?: boolean
}

/** The dialog as it styles now. */
export function view(
  dialog: Dialog,
  { columns, rows }: Size,
  { head = [], listening = true }: ViewOptions = {},
): Frame {
  if (dialog.place === 'away') return folded(dialog, columns)
  const body = dialog.place === 'review' ? reviewBody(dialog, columns) : questionBody(dialog, columns)
  const above = head.length > 0 ? [...head, line('')] : []
  const whole = shift(body, above)
  const message = dialog.message ? wrap(line(dialog.message, 'yellow'), columns).slice(0, Math.ceil(rows / 3)) : []
  const bottom = [...message, ...(listening ? footer(dialog, columns, rows) : [line('')])]
  return window(whole, bottom, rows, dialog)
}

function folded({ form }: Dialog, columns: number): Frame {
  const text = `${form.request.id} waits. Enter opens it again, Ctrl-C leaves it open.`
  return { lines: wrap(line(text, 'dim'), columns), cursor: null }
}

function questionBody(dialog: Dialog, columns: number): Body {
  const { form, step, place } = dialog
  const { question } = form.field(step)
  const count = form.fields.length
  const title = [count > 1 ? `${step + 1} of ${count}` : '', harmlessTitle(question.header)].filter(Boolean).join('  ')
  const top = [
    ...(title ? wrap(line(title, 'cyan'), columns) : []),
    ...(question.question ? paragraphs(question.question, columns, ['bold']) : []),
    ...(title || question.question ? [line('')] : []),
  ]
  const list = question.options.length > 0 ? listBody(dialog, columns) : emptyBody
  const writing = place !== 'list' && place !== 'skip' ? editorBody(dialog, columns) : emptyBody
  const { note } = form.entry(step)
  const below = [
    ...(place === 'list' ? previewOf(dialog, columns) : []),
    ...(note && place !== 'note' ? wrap(line(`Note: ${harmlessTitle(note)}`, 'dim'), columns, 6) : []),
    ...(place === 'skip'
      ? wrap(line('Skip this request? Enter skips it; any other key goes back.', 'yellow'), columns)
      : []),
  ]
  return join([{ ...emptyBody, lines: top }, list, writing, { ...emptyBody, lines: below }])
}

const emptyBody: Body = { lines: [], focus: { from: 0, to: 0 }, cursor: null }

function listBody(dialog: Dialog, columns: number): Body {
  const { form, step } = dialog
  const { filter, cursor } = dialog.list
  const rows = dialog.list.rows()
  const lines: Line[] = []
  let focus = { from: 0, to: 0 }
  if (filter !== '') {
    const matches = rows.filter(row => row.kind === 'option').length
    const all = form.field(step).question.options.length
    lines.push(
      ...wrap(
        [...line('Filter: ', 'dim'), ...line(harmlessTitle(filter)), ...line(`  ${matches} of ${all}`, 'dim')],
        columns,
      ),
    )
  }
  for (const [i, row] of rows.entries()) {
    const from = lines.length
    lines.push(...rowLines(dialog, row, i === cursor, columns))
    if (i === cursor) focus = { from, to: lines.length }
  }
  return { lines, focus: dialog.place === 'list' ? focus : { from: 0, to: 0 }, cursor: null }
}

function rowLines(dialog: Dialog, row: Row, lit: boolean, columns: number): Line[] {
  const { form, step } = dialog
  const { question } = form.field(step)
  const { chosen, own, text } = form.entry(step)
  const pointer = lit ? line('❯ ', 'cyan') : line('  ')
  const isChosen = row.kind === 'option' ? chosen.includes(row.position) : row.kind === 'own' && own
  const box =
    question.multiSelect && row.kind !== 'blank'
      ? line(isChosen ? '[x] ' : '[ ] ', ...(isChosen ? ['green' as const] : []))
      : []
  const tick = !question.multiSelect && isChosen ? line(' ✔', 'green') : []
  const styles = lit ? (['cyan', 'bold'] as const) : []
  const margin = question.multiSelect ? 6 : 2
  if (row.kind === 'option') {
    const option = question.options[row.position]
    const number = `${row.position + 1}. `
    const hanging = margin + number.length
    const label = wrap(
      [...pointer, ...box, ...line(`${number}${harmlessTitle(option?.label ?? '')}`, ...styles), ...tick],
      columns,
      hanging,
    )
    const description = option?.description ? paragraphs(option.description, columns - hanging, ['dim']) : []
    return [...label, ...indented(description, ' '.repeat(hanging))]
  }
  if (row.kind === 'blank') return wrap([...pointer, ...line('Leave this one blank', ...styles)], columns, 2)
  const words =
    text.trim() === '' || (lit && dialog.place === 'text')
      ? line('Other…', ...styles)
      : [...line('Other: ', ...styles), ...line(harmlessTitle(text))]
  return wrap([...pointer, ...box, ...words, ...tick], columns, margin + 7)
}

/** What the lit option would look like. All of it: it is scrolled, not cut. */
function previewOf(dialog: Dialog, columns: number): Line[] {
  const row = dialog.list.row()
  if (row?.kind !== 'option') return []
  const preview = dialog.form.field(dialog.step).question.options[row.position]?.preview ?? ''
  return preview.trim() === '' ? [] : [line(''), ...indented(paragraphs(preview, columns - 2), '│ ')]
}

function editorBody({ place, form, step, editor }: Dialog, columns: number): Body {
  const { secret, question, textRequiredBy, confirmation } = form.field(step)
  const titles: Record<string, string> = {
    note: 'A note beside the answer:',
    decline: 'Why not? This declines the request:',
    word: `This is dangerous. Type ${confirmation?.word ?? ''} to approve it:`,
    text: textRequiredBy !== null ? 'What should be changed?' : question.options.length > 0 ? 'Your own answer:' : '',
  }
  const title = titles[place] ?? ''
  const shown = secret && place === 'text' ? '•'.repeat([...editor.text].length) : harmlessLines(editor.text)
  const at =
    secret && place === 'text'
      ? [...editor.text.slice(0, editor.at)].length
      : harmlessLines(editor.text.slice(0, editor.at)).length
  const { lines, row, column } = layOut(shown, at, columns - 2)
  const hint = shown === '' && place === 'text' && question.default !== null ? [question.default].flat().join(', ') : ''
  const written = hint
    ? [line(`Enter for ${cut(harmlessTitle(hint), Math.max(8, columns - 14))}`, 'dim')]
    : lines.map(text => line(text))
  const head = title ? wrap(line(title, 'bold'), columns) : []
  const all = [...head, ...written.map(one => [...line('▏ ', 'cyan'), ...one])]
  const focus = head.length + row
  return { lines: all, focus: { from: focus, to: focus + 1 }, cursor: { row: focus, column: column + 2 } }
}

function reviewBody({ form, line: lit }: Dialog, columns: number): Body {
  const lines: Line[] = [line('Your answers', 'bold'), line('')]
  let focus = { from: 0, to: 0 }
  for (const [i, { question }] of form.fields.entries()) {
    const from = lines.length
    const pointer = i === lit ? line('❯ ', 'cyan') : line('  ')
    const title = harmlessTitle(question.header || question.question)
    const values = form.summary(i)
    lines.push(...wrap([...pointer, ...line(`${i + 1}. ${title}`, 'bold')], columns, 5))
    if (values.length === 0) lines.push(line('     (left blank)', 'dim'))
    for (const value of values) lines.push(...indented(paragraphs(value, columns - 5, ['green']), '     '))
    const { note } = form.entry(i)
    if (note.trim()) lines.push(...indented(paragraphs(`Note: ${note}`, columns - 5, ['dim']), '     '))
    if (i === lit) focus = { from, to: lines.length }
  }
  const send = lit === form.fields.length
  lines.push(
    line(''),
    send ? [...line('❯ ', 'cyan'), ...line('Send these answers', 'cyan', 'bold')] : line('  Send these answers'),
  )
  return { lines, focus: send ? { from: lines.length - 1, to: lines.length } : focus, cursor: null }
}

function join(parts: Body[]): Body {
  return parts.reduce((all, part) => {
    const by = all.lines.length
    const focus = part.focus.to > part.focus.from ? { from: part.focus.from + by, to: part.focus.to + by } : all.focus
    const cursor = part.cursor ? { ...part.cursor, row: part.cursor.row + by } : all.cursor
    return { lines: [...all.lines, ...part.lines], focus, cursor }
  }, emptyBody)
}

function shift(body: Body, above: readonly Line[]): Body {
  return join([{ ...emptyBody, lines: [...above] }, body])
}

/** As much as fits, around what must be seen, or where the person has scrolled to. The bottom lines are always there. */
function window(body: Body, bottom: Line[], rows: number, dialog: Dialog): Frame {
  const below = (bottom.length > 0 ? [line(''), ...bottom] : []).slice(-Math.max(1, rows - 3))
  const height = Math.max(1, rows - below.length)
  if (body.lines.length <= height) {
    dialog.unseen = 0
    return { lines: [...body.lines, ...below], cursor: body.cursor }
  }
  const room = Math.max(1, height - 2)
  const { from, to } = body.focus
  const wanted = to - room > 0 ? Math.min(from, Math.max(0, to - Math.ceil(room * 0.7))) : 0
  const last = body.lines.length - room
  const top = Math.min(Math.max(wanted + dialog.scrolled, 0), last)
  dialog.scrolled = top - wanted
  dialog.page = Math.max(1, room - 1)
  dialog.see(top, top + room)
  const rest = last - top
  const lines = [
    line(top > 0 ? `↑ ${top} more (PgUp)` : '', 'dim'),
    ...body.lines.slice(top, top + room),
    line(rest > 0 ? `↓ ${rest} more (PgDn)` : '', 'dim'),
    ...below,
  ].slice(0, rows)
  const { cursor } = body
  const inside = cursor && cursor.row >= top && cursor.row < top + room
  return { lines, cursor: inside ? { row: cursor.row - top + 1, column: cursor.column } : null }
}
