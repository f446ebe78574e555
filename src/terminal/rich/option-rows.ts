import type { AnswerForm } from '../../form/answer-form.ts'

/** A line that can be chosen: an option, an answer of one's own, or leaving this question blank. */
export type Row =
  | { readonly kind: 'option'; readonly position: number }
  | { readonly kind: 'own' }
  | { readonly kind: 'blank' }

/** Options that match what was typed; the way to one's own words is always there. */
export function rowsOf(form: AnswerForm, step: number, filter: string): Row[] {
  const { question } = form.field(step)
  const wanted = plain(filter)
  const rows: Row[] = question.options.flatMap(({ label, description }, position) =>
    plain(`${label} ${description}`).includes(wanted) || String(position + 1).startsWith(wanted)
      ? [{ kind: 'option', position }]
      : [],
  )
  if (question.allowOther) rows.push({ kind: 'own' })
  if (form.request.kind === 'question' && !form.request.required) rows.push({ kind: 'blank' })
  return rows
}

export function matching(one: Row, other: Row): boolean {
  return (
    one.kind === other.kind && (one.kind !== 'option' || other.kind !== 'option' || one.position === other.position)
  )
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
