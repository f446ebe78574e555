import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { titleText, UntrustedLines, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import './review-answers.css'

/** All answers of a batch, before the person sends them. */
export function ReviewAnswers({ form, onEdit }: { form: AnswerForm; onEdit: (field: number) => void }) {
  return (
    <ol className="review-answers">
      {form.fields.map(({ question }, i) => {
        const values = form.summary(i)
        return (
          <li key={question.id}>
            <div>
              <p className="quiet">
                <UntrustedTitle text={question.question || question.header} longest={200} />
              </p>
              {values.length === 0 ? (
                <p className="blank">{t('left blank')}</p>
              ) : (
                values.map((value, at) => (
                  <p key={`${at}`} className="value" dir="auto">
                    <UntrustedLines text={value} />
                  </p>
                ))
              )}
              {form.entry(i).note.trim() !== '' && (
                <p className="quiet">
                  {t('Note')}: <UntrustedLines text={form.entry(i).note} />
                </p>
              )}
            </div>
            <button type="button" onClick={() => onEdit(i)}>
              {t('Edit')}
              <span className="visually-hidden"> {titleText(question.header || question.question, 200)}</span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
