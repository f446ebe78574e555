import { titleOf } from '../../rules/title.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { indented, paragraphs } from '../paragraphs.ts'
import type { Frame } from '../screen.ts'
import type { Dialog } from './dialog.ts'
import { footer } from './footer.ts'
import { questionBody } from './question-body.ts'
import { type Body, bodyOf, emptyBody, stack, visiblePart } from './scroll.ts'
import { tabs } from './tabs.ts'

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
  const pinned = { ...pinnedTitle(dialog, above.length), columns }
  return visiblePart(stack([bodyOf(above), body]), bottom, rows, dialog, pinned)
}

/** A question stands below what is known about the request; everything else is what that begins with. */
function pinnedTitle({ form, step, focus }: Dialog, headLength: number): { title: string; at: number } {
  const { request } = form
  if (request.kind !== 'question') return { title: harmlessTitle(titleOf(request).slice(0, longestTitle)), at: 0 }
  if (focus === 'review') return { title: 'Your answers', at: headLength }
  const { header, question } = form.field(step).question
  return { title: harmlessTitle((question || header).slice(0, longestTitle)), at: headLength }
}

const longestTitle = 400

function foldedView({ form }: Dialog, columns: number, notes: readonly Line[]): Frame {
  const text = `${form.request.id} is waiting. Press Enter to open it, Ctrl-C to leave it open.`
  return { lines: [...notes, ...wrap(line(text, 'dim'), columns)], cursor: null }
}

function reviewBody(dialog: Dialog, columns: number): Body {
  const { form, reviewLine } = dialog
  const lines: Line[] = [...tabs(dialog, columns), line('Your answers', 'bold'), line('')]
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
