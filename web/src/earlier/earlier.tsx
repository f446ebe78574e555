import { useState } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import type { AnswerInput } from '../../../src/protocol/answer.ts'
import type { EarlierAnswer, Earlier as EarlierAnswers } from '../../../src/protocol/earlier.ts'
import { useShortcuts } from '../browser/shortcuts.ts'
import { Ago } from '../components/time.tsx'
import { FormattedPhrase } from '../text/formatted-phrase.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import './earlier.css'

type Answers = readonly NonNullable<AnswerInput['answers']>[number][]

interface Props {
  known: EarlierAnswers | null
  /** What the form contains now, if that is an answer: a rule is made of it rather than of the last answer. */
  chosen: Answers | null
  /** Who looks at the page. */
  user: string
  disabled: boolean
  decide: (decision: Decision) => void
}

/** `Last time: SQLite (you, 3 days ago)`, with one key to answer the same, and to answer so always. */
export function Earlier({ known, chosen, user, disabled, decide }: Props) {
  const [last, ...older] = known?.earlier ?? []
  const takeAgain = () =>
    last && !disabled && decide({ verb: 'answer', input: { answers: withoutNotes(last.answers) } })
  useShortcuts(last ? { l: takeAgain, L: takeAgain } : {})
  const always = known?.always ? (chosen ?? last?.answers ?? null) : null
  if (!last && !always) return null
  return (
    <aside className="earlier" aria-label={t('Earlier answers')}>
      {last && (
        <p className="earlier-last">
          <span>
            <FormattedPhrase phrase="Last time: {answer}" values={{ answer: <Given answers={last.answers} /> }} />{' '}
            <Who answer={last} user={user} />
          </span>
          <button type="button" className="earlier-again" disabled={disabled} aria-keyshortcuts="l" onClick={takeAgain}>
            {t('Answer the same')}{' '}
            <span className="key" aria-hidden="true">
              L
            </span>
          </button>
        </p>
      )}
      {older.length > 0 && (
        <ul className="earlier-older">
          {older.map(answer => (
            <li key={answer.id}>
              <Given answers={answer.answers} /> <Who answer={answer} user={user} />
            </li>
          ))}
        </ul>
      )}
      {always && <Always answers={always} disabled={disabled} decide={decide} />}
    </aside>
  )
}

const days = [1, 7, 30, 90, 365] as const
const dayMs = 86_400_000

function Always({ answers, disabled, decide }: { answers: Answers; disabled: boolean; decide: Props['decide'] }) {
  const [expires, setExpires] = useState(30)
  const answer = titleText(textOf(answers), 60)
  return (
    <details className="earlier-always">
      <summary>{t('Always answer so…')}</summary>
      <p className="quiet">
        {t(
          'Beckon then answers the same question of this agent by itself, as long as the options, the context and the folder stay the same. You can remove the rule in Settings.',
        )}
      </p>
      <div className="earlier-choice">
        <label>
          {t('For')}{' '}
          <select value={expires} onChange={event => setExpires(Number(event.target.value))}>
            {days.map(count => (
              <option key={count} value={count}>
                {count === 1 ? t('1 day') : t('{count} days', { count })}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          disabled={disabled}
          onClick={() =>
            decide({
              verb: 'answer',
              input: { answers: withoutNotes(answers), always: { expires: expires * dayMs } },
            })
          }
        >
          {t('Always answer “{answer}”', { answer })}
        </button>
      </div>
    </details>
  )
}

function Given({ answers }: { answers: Answers }) {
  return (
    <b>
      <bdi>
        <UntrustedTitle text={textOf(answers)} longest={160} />
      </bdi>
    </b>
  )
}

function Who({ answer, user }: { answer: EarlierAnswer; user: string }) {
  const name = answer.by === user ? t('you') : <UntrustedTitle text={answer.by} longest={40} />
  return (
    <span className="quiet">
      (<bdi>{name}</bdi>, <Ago at={answer.at} />)
    </span>
  )
}

function textOf(answers: Answers): string {
  return answers
    .map(({ selected = [], text }) => [...selected, text ?? ''].filter(Boolean).join(', '))
    .filter(Boolean)
    .join(' · ')
}

/** A note was for that time. */
function withoutNotes(answers: Answers): NonNullable<AnswerInput['answers']> {
  return answers.map(({ note: _, ...answer }) => answer)
}
