import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { paragraphs } from '../paragraphs.ts'
import { verdictLines } from '../verdict-lines.ts'
import type { Dialog } from './dialog.ts'
import { editorBody } from './editor-body.ts'
import { besidePreview, previewLines } from './preview.ts'
import { rowLines } from './row-lines.ts'
import { type Body, bodyOf, emptyBody, stack } from './scroll.ts'
import { tabs } from './tabs.ts'

/** One question: its title, its options or what the person writes, and a note. */
export function questionBody(dialog: Dialog, columns: number): Body {
  const { form, step, focus } = dialog
  const { question } = form.field(step)
  const count = form.fields.length
  const title = [count > 1 ? `${step + 1} of ${count}` : '', harmlessTitle(question.header)].filter(Boolean).join('  ')
  const category = question.category === null ? [] : line(`${title ? ' · ' : ''}${question.category}`, 'dim')
  const hasTitle = title !== '' || category.length > 0
  const top = [
    ...tabs(dialog, columns),
    ...(hasTitle ? wrap([...line(title, 'cyan'), ...category], columns) : []),
    ...(question.question ? paragraphs(question.question, columns, ['bold']) : []),
    ...(hasTitle || question.question ? [line('')] : []),
  ]
  const list = question.options.length > 0 ? besidePreview(dialog, columns, room => listBody(dialog, room)) : emptyBody
  const verdict = focus === 'verdict' && dialog.judged ? verdictLines(dialog.judged, columns) : []
  const writing = focus !== 'list' && focus !== 'skip' ? editorBody(dialog, columns) : emptyBody
  const { note } = form.entry(step)
  const below = [
    ...previewLines(dialog, columns),
    ...(note && focus !== 'note' ? wrap(line(`Note: ${harmlessTitle(note)}`, 'dim'), columns, 6) : []),
    ...(focus === 'skip'
      ? wrap(line('Skip this request? Press Enter to skip it, any other key to go back.', 'yellow'), columns)
      : []),
  ]
  return stack([bodyOf(top), list, bodyOf(verdict), writing, bodyOf(below)])
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
