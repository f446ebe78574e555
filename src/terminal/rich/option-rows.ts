import type { AnswerForm } from '../../form/answer-form.ts'

/**
 * A row that can be chosen: an option, a custom answer, or leaving the question blank. An approval can also be edited, or
 * declined with a reason.
 */
export type Row =
  | { readonly kind: 'option'; readonly position: number }
  | { readonly kind: 'other' }
  | { readonly kind: 'blank' }
  | { readonly kind: 'edit' }
  | { readonly kind: 'reason' }

/** The options that match the filter. The rows for a custom answer and for none are always there. */
export function rowsOf(form: AnswerForm, step: number, filter: string): Row[] {
  const { question } = form.field(step)
  const wanted = normalise(filter)
  const rows: Row[] = question.options.flatMap(({ label, description }, position) =>
    normalise(`${label} ${description}`).includes(wanted) || String(position + 1).startsWith(wanted)
      ? [{ kind: 'option', position }]
      : [],
  )
  if (form.request.kind === 'approval')
    for (const kind of approvalRows)
      if (wanted === '' || normalise(rowTitles[kind]).includes(wanted)) rows.push({ kind })
  if (question.allowOther) rows.push({ kind: 'other' })
  if (form.request.kind === 'question' && !form.request.required) rows.push({ kind: 'blank' })
  return rows
}

const approvalRows = ['edit', 'reason'] as const

export const rowTitles = { edit: 'edit it, and approve your version…', reason: 'no, and tell it why…' } as const

/** The number that a person types for a row; null if it has none. */
export function numberOf(form: AnswerForm, step: number, row: Row): number | null {
  const { length } = form.field(step).question.options
  switch (row.kind) {
    case 'option':
      return row.position + 1
    case 'edit':
      return length + 1
    case 'reason':
      return length + 2
    case 'other':
      return 0
    case 'blank':
      return null
  }
}

export function isSameRow(one: Row, other: Row): boolean {
  return (
    one.kind === other.kind && (one.kind !== 'option' || other.kind !== 'option' || one.position === other.position)
  )
}

function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
