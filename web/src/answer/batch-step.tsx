import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { isShortQuestion } from '../words/request-title.ts'
import { t } from '../words/translate.ts'
import './batch-step.css'

/** The title of one step of a batch, and how far the person has come. */
export function stepHeader(form: AnswerForm, at: number) {
  const count = form.fields.length
  const { header = '', question = '' } = form.fields[at]?.question ?? {}
  const position = t('Question {at} of {count}', { at: at + 1, count })
  return {
    title: at === count ? t('Your answers') : isShortQuestion(question) ? question : header || position,
    above: (
      <span className="batch-step">
        <progress value={at} max={count} aria-hidden="true" />
        {at < count && <span>{position}</span>}
        {at < count && header !== '' && (
          <span>
            · <UntrustedTitle text={header} longest={80} />
          </span>
        )}
      </span>
    ),
  }
}
