import type { AnswerForm } from '../../../src/form/answer-form.ts'

/**
 * Where a question is answered. `verbs`: its few short options are the buttons of the bar. `text`: a text field in the
 * bar. `form`: everything that needs more room (previews, many options, several choices, secrets) is above the bar.
 */
export type AnswerPlace = 'verbs' | 'text' | 'form'

const mostVerbs = 5
const longestLabel = 60
const longestHint = 160

export function answerPlace(form: AnswerForm, at: number): AnswerPlace {
  const { question, textRequiredBy } = form.field(at)
  const { options, multiSelect } = question
  if (options.length === 0) return form.request.kind === 'question' ? 'text' : 'form'
  const isShort = options.every(
    ({ label, description, preview }) =>
      preview === '' && label.length <= longestLabel && description.length <= longestHint,
  )
  return isShort && !multiSelect && textRequiredBy === null && options.length <= mostVerbs ? 'verbs' : 'form'
}
