import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { SaidLines, SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'

/** All answers of a batch, before they are sent. */
export function ReviewAnswers({ form, onChange }: { form: AnswerForm; onChange: (field: number) => void }) {
  return (
    <ol className="review-answers">
      {form.fields.map(({ question }, i) => {
        const values = form.summary(i)
        return (
          <li key={question.id}>
            <div>
              <p className="quiet">
                <SaidTitle text={question.question || question.header} longest={200} />
              </p>
              {values.length === 0 ? (
                <p className="blank">{t('left blank')}</p>
              ) : (
                values.map((value, at) => (
                  <p key={`${at}`} className="value" dir="auto">
                    <SaidLines text={value} />
                  </p>
                ))
              )}
              {form.entry(i).note.trim() !== '' && (
                <p className="quiet">
                  {t('Note')}: <SaidLines text={form.entry(i).note} />
                </p>
              )}
            </div>
            <button type="button" onClick={() => onChange(i)}>
              {t('Change')}
              <span className="for-ears"> {titleText(question.header || question.question, 200)}</span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
