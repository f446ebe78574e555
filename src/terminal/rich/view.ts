import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { layOutEditor } from '../editor-layout.ts'
import { indented, paragraphs } from '../paragraphs.ts'
import type { Frame } from '../screen.ts'
import type { Dialog, Focus } from './dialog.ts'
import { footer } from './footer.ts'
import type { Row } from './option-rows.ts'
import { type Body, bodyOf, emptyBody, stack, visiblePart } from './scroll.ts'

export interface Size {
  columns: number
  rows: number
}

export interface ViewOptions {
  /** Lines to show above the dialog. */
  head?: readonly Line[]
  /** Lines to show below the dialog: the deadline, and what others began. */
  notices?: readonly Line[]
  /** Whether keys have an effect yet; until then the footer is empty. */
  listening?: boolean
}

export function view(
  dialog: Dialog,
  { columns, rows }: Size,
  { head = [], notices = [], listening = true }: ViewOptions = {},
): Frame {
  const notes = notices.flatMap(notice => wrap(notice, columns)).slice(0, Math.ceil(rows / 3))
  if (dialog.focus === 'folded') return foldedView(dialog, columns, notes)
  const above = head.length > 0 ? [...head, line('')] : []
  const body = dialog.focus === 'review' ? reviewBody(dialog, columns) : questionBody(dialog, columns)
  const message = dialog.message ? wrap(line(dialog.message, 'yellow'), columns).slice(0, Math.ceil(rows / 3)) : []
  const bottom = [...notes, ...message, ...(listening ? footer(dialog, columns, rows) : [line('')])]
  return visiblePart(stack([bodyOf(above), body]), bottom, rows, dialog)
}

function foldedView({ form }: Dialog, columns: number, notes: readonly Line[]): Frame {
  const text = `${form.request.id} is waiting. Press Enter to open it, Ctrl-C to leave it open.`
  return { lines: [...notes, ...wrap(line(text, 'dim'), columns)], cursor: null }
}

function questionBody(dialog: Dialog, columns: number): Body {
  const { form, step, focus } = dialog
  const { question } = form.field(step)
  const count = form.fields.length
  const title = [count > 1 ? `${step + 1} of ${count}` : '', harmlessTitle(question.header)].filter(Boolean).join('  ')
  const top = [
    ...(title ? wrap(line(title, 'cyan'), columns) : []),
    ...(question.question ? paragraphs(question.question, columns, ['bold']) : []),
    ...(title || question.question ? [line('')] : []),
  ]
  const list = question.options.length > 0 ? listBody(dialog, columns) : emptyBody
  const writing = focus !== 'list' && focus !== 'skip' ? editorBody(dialog, columns) : emptyBody
  const { note } = form.entry(step)
  const below = [
    ...(focus === 'list' ? previewLines(dialog, columns) : []),
    ...(note && focus !== 'note' ? wrap(line(`Note: ${harmlessTitle(note)}`, 'dim'), columns, 6) : []),
    ...(focus === 'skip'
      ? wrap(line('Skip this request? Press Enter to skip it, any other key to go back.', 'yellow'), columns)
      : []),
  ]
  return stack([bodyOf(top), list, writing, bodyOf(below)])
}

function listBody(dialog: Dialog, columns: number): Body {
  const { form, step } = dialog
  const { filter, cursor } = dialog.list
  const rows = dialog.list.rows()
  const lines: Line[] = []
  let focus = emptyBody.focus
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
  return { lines, focus: dialog.focus === 'list' ? focus : emptyBody.focus, cursor: null }
}

function rowLines(dialog: Dialog, row: Row, highlighted: boolean, columns: number): Line[] {
  const { form, step } = dialog
  const { question } = form.field(step)
  const { chosen, own, text } = form.entry(step)
  const pointer = highlighted ? line('❯ ', 'cyan') : line('  ')
  const isChosen = row.kind === 'option' ? chosen.includes(row.position) : row.kind === 'other' && own
  const box =
    question.multiSelect && row.kind !== 'blank'
      ? line(isChosen ? '[x] ' : '[ ] ', ...(isChosen ? ['green' as const] : []))
      : []
  const tick = !question.multiSelect && isChosen ? line(' ✔', 'green') : []
  const styles = highlighted ? (['cyan', 'bold'] as const) : []
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
  const label =
    text.trim() === '' || (highlighted && dialog.focus === 'text')
      ? line('Other…', ...styles)
      : [...line('Other: ', ...styles), ...line(harmlessTitle(text))]
  return wrap([...pointer, ...box, ...label, ...tick], columns, margin + 7)
}

/** The whole preview of the highlighted option: it can be scrolled, so nothing is cut. */
function previewLines(dialog: Dialog, columns: number): Line[] {
  const row = dialog.list.row()
  if (row?.kind !== 'option') return []
  const preview = dialog.form.field(dialog.step).question.options[row.position]?.preview ?? ''
  return preview.trim() === '' ? [] : [line(''), ...indented(paragraphs(preview, columns - 2), '│ ')]
}

function editorBody({ focus, form, step, editor }: Dialog, columns: number): Body {
  const { secret, question, textRequiredBy, confirmation } = form.field(step)
  const titles: Partial<Record<Focus, string>> = {
    note: 'A note to go with the answer:',
    decline: 'Why do you decline this request?',
    message: 'Your message to the agent. The request stays open:',
    confirmation: `This is dangerous. Type ${confirmation?.word ?? ''} to approve it:`,
    text: textRequiredBy !== null ? 'What should be changed?' : question.options.length > 0 ? 'Your own answer:' : '',
  }
  const title = titles[focus] ?? ''
  const isHidden = secret && focus === 'text'
  const display = (text: string) => (isHidden ? '•'.repeat([...text].length) : harmlessLines(text))
  const shown = display(editor.text)
  const { lines, row, column } = layOutEditor(shown, display(editor.text.slice(0, editor.at)).length, columns - 2)
  const byDefault = shown === '' && focus === 'text' ? [question.default ?? []].flat().join(', ') : ''
  const written = byDefault
    ? [line(`Enter for ${cut(harmlessTitle(byDefault), Math.max(8, columns - 14))}`, 'dim')]
    : lines.map(text => line(text))
  const head = title ? wrap(line(title, 'bold'), columns) : []
  const all = [...head, ...written.map(one => [...line('▏ ', 'cyan'), ...one])]
  const at = head.length + row
  return { lines: all, focus: { from: at, to: at + 1 }, cursor: { row: at, column: column + 2 } }
}

function reviewBody({ form, reviewLine }: Dialog, columns: number): Body {
  const lines: Line[] = [line('Your answers', 'bold'), line('')]
  let focus = emptyBody.focus
  for (const [i, { question }] of form.fields.entries()) {
    const from = lines.length
    const pointer = i === reviewLine ? line('❯ ', 'cyan') : line('  ')
    const title = harmlessTitle(question.header || question.question)
    const values = form.summary(i)
    lines.push(...wrap([...pointer, ...line(`${i + 1}. ${title}`, 'bold')], columns, 5))
    if (values.length === 0) lines.push(line('     (left blank)', 'dim'))
    for (const value of values) lines.push(...indented(paragraphs(value, columns - 5, ['green']), '     '))
    const { note } = form.entry(i)
    if (note.trim()) lines.push(...indented(paragraphs(`Note: ${note}`, columns - 5, ['dim']), '     '))
    if (i === reviewLine) focus = { from, to: lines.length }
  }
  const sends = reviewLine === form.fields.length
  lines.push(
    line(''),
    sends ? [...line('❯ ', 'cyan'), ...line('Send these answers', 'cyan', 'bold')] : line('  Send these answers'),
  )
  return { lines, focus: sends ? { from: lines.length - 1, to: lines.length } : focus, cursor: null }
}
