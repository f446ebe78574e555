import type { Decision } from '../../../src/form/answer-form.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { optionLabel } from '../words/option-label.ts'
import { t } from '../words/translate.ts'

/** A decision in a few words: what is sent in a moment. */
export function decisionSays(request: Request, decision: Decision): string {
  if (decision.verb === 'decline') return t('Declined')
  if (decision.verb === 'skip') return t('Skipped')
  const { answers = [], value } = decision.input
  const values = answers.flatMap(({ selected = [], text }) => [
    ...selected.map(label => optionLabel(request, label)),
    ...(text ? [text] : []),
  ])
  return typeof value === 'string' ? optionLabel(request, value) : values.join(' · ')
}
