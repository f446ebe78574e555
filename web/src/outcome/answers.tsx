import type { AnswerGiven, Outcome } from '../../../src/protocol/answer.ts'
import type { Question, QuestionRequest, Request } from '../../../src/protocol/request.ts'
import { secretTypes } from '../../../src/protocol/status.ts'
import { questionsOf } from '../../../src/rules/questions.ts'
import { UntrustedLines, UntrustedTitle } from '../text/untrusted-text.tsx'
import { optionLabel } from '../words/option-label.ts'
import { isTitleQuestion } from '../words/request-title.ts'
import { t } from '../words/translate.ts'
import './answers.css'

/** The questions with their answers. */
export function Answers({ request, outcome }: { request: Request; outcome: Outcome }) {
  if (outcome.answers.length === 0 && request.kind === 'question') return <Questions request={request} />
  if (request.kind === 'dependency') {
    if (!outcome.reference) return null
    const isSecret = secretTypes.includes(request.type)
    return <p className="value">{isSecret ? t('Provided and sealed') : t('Provided')}</p>
  }
  const questions = questionsOf(request)
  return (
    <dl className="answers">
      {outcome.answers.map(answer => {
        const question = questions.find(({ id }) => id === answer.id)
        return (
          <div key={answer.id}>
            {request.kind === 'question' && question && !isTitleQuestion(request) && (
              <dt dir="auto">
                {question.header !== '' && (
                  <span className="eyebrow">
                    <UntrustedTitle text={question.header} longest={80} />
                  </span>
                )}
                <UntrustedLines text={question.question} />
              </dt>
            )}
            <Values request={request} answer={answer} />
            {request.kind === 'question' && question && <OtherOptions question={question} answer={answer} />}
            {answer.note !== null && (
              <dd className="quiet">
                {t('Note')}: <UntrustedLines text={answer.note} />
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}

/** The questions alone, when nobody answered them. */
function Questions({ request }: { request: QuestionRequest }) {
  if (isTitleQuestion(request)) return null
  return (
    <ul className="answers">
      {request.questions.map(({ id, question }) => (
        <li key={id} className="quiet" dir="auto">
          <UntrustedLines text={question} />
        </li>
      ))}
    </ul>
  )
}

function Values({ request, answer: { selected, text } }: { request: Request; answer: AnswerGiven }) {
  const values = [...selected.map(label => optionLabel(request, label)), ...(text === null ? [] : [text])]
  if (values.length === 0) return <dd className="blank">{t('left blank')}</dd>
  return values.map((value, i) => (
    <dd key={`${i}`} className="value" dir="auto">
      <UntrustedLines text={value} />
    </dd>
  ))
}

/** The other options: an answer says little without them. */
function OtherOptions({ question, answer }: { question: Question; answer: AnswerGiven }) {
  const others = question.options.filter(({ label }) => !answer.selected.includes(label))
  if (others.length === 0) return null
  return (
    <dd className="quiet" dir="auto">
      {t('Not chosen')}: <UntrustedTitle text={others.map(({ label }) => label).join(' · ')} longest={1_000} />
    </dd>
  )
}
