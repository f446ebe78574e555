import type { AnswerForm } from '../../form/answer-form.ts'

/** A row that can be chosen: an option, a custom answer, or leaving the question blank. */
export type Row =
  | { readonly kind: 'option'; readonly position: number }
  | { readonly kind: 'other' }
  | { readonly kind: 'blank' }

/** The options that match the filter. The rows for a custom answer and for none are always there. */
export function rowsOf(form: AnswerForm, step: number, filter: string): Row[] {
  const { question } = form.field(step)
  const wanted = normalise(filter)
  const rows: Row[] = question.options.flatMap(({ label, description }, position) =>
    normalise(`${label} ${description}`).includes(wanted) || String(position + 1).startsWith(wanted)
      ? [{ kind: 'option', position }]
      : [],
  )
  if (question.allowOther) rows.push({ kind: 'other' })
  if (form.request.kind === 'question' && !form.request.required) rows.push({ kind: 'blank' })
  return rows
}

export function isSameRow(one: Row, other: Row): boolean {
  return (
    one.kind === other.kind && (one.kind !== 'option' || other.kind !== 'option' || one.position === other.position)
  )
}

function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
