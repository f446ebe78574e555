import type { Field } from '../../form/fields.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut, widthOf } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { renderPreview } from '../markdown/preview.ts'
import { paint } from '../paint.ts'
import { paragraphs } from '../paragraphs.ts'

// The width that AskUserQuestion's box has always had; narrower terminals get a narrower one.
const boxWidth = 51

/** The question in a box of plain text, with more rows below its options. The right edge is open, so that nothing needs to be cut. */
export function box({ question }: Field, columns: number, more: readonly string[] = []): string {
  const width = Math.min(boxWidth, columns)
  const title = cut(harmlessTitle(question.header) || 'Question', width - 6)
  const body = [
    ...paragraphs(question.question, columns - 2),
    line(''),
    ...question.options.flatMap((option, i) => optionLines(option, i + 1, columns - 2)),
    ...more.flatMap((title, i) => wrap(line(` ${question.options.length + i + 1}. ${title}`), columns - 2, 4)),
    ...(question.allowOther && question.options.length > 0 ? [line(' 0. Other (custom input)')] : []),
  ]
  return [
    '',
    `┌─ ${title} ${'─'.repeat(Math.max(1, width - 5 - widthOf(title)))}┐`,
    ...body.map(one => `│ ${paint(one, false)}`.trimEnd()),
    `└${'─'.repeat(width - 2)}┘`,
  ].join('\n')
}

/** What to type, in the wording that AskUserQuestion has always had. */
export function hint({ question }: Field): string {
  if (question.options.length === 0) return 'Enter your answer: '
  const custom = question.allowOther ? ' or 0 for custom' : ''
  return question.multiSelect ? `Enter numbers (e.g., 1,3)${custom}: ` : `Enter number${custom}: `
}

function optionLines(
  { label, description, preview }: Field['question']['options'][number],
  n: number,
  columns: number,
): Line[] {
  const margin = ' '.repeat(`${n}`.length + 3)
  const inner = columns - margin.length
  return [
    ...wrap(line(` ${n}. ${harmlessTitle(label)}`), columns, margin.length),
    ...(description ? paragraphs(description, inner) : []).map(one => [...line(margin), ...one]),
    ...(preview ? renderPreview(preview, inner - 2) : []).map(one => [...line(`${margin}| `), ...one]),
  ]
}
