import { useEffect, useRef } from 'react'
import { questionsOf } from '../../../src/core/questions.ts'
import { titleOf } from '../../../src/core/title.ts'
import type { Outcome } from '../../../src/protocol/answer.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { RuleScope } from '../../../src/protocol/rule.ts'
import { useKnown } from '../live.ts'
import { Ago } from '../parts/time.tsx'
import { Link, paths } from '../router.tsx'
import { SaidLines, SaidTitle, titleText } from '../text/said.tsx'
import { pendingOf } from '../waiting.ts'
import { channelName, statusName } from '../words/names.ts'
import { t } from '../words/words.ts'
import { Command } from './command.tsx'
import { lateWords } from './late.ts'

/** What became of it, who decided, and whether the agent has it. */
export function OutcomeOf({ request, isNew }: { request: Request; isNew: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNew) title.current?.focus()
  }, [isNew])
  const { outcome } = request
  if (!outcome) return null
  const late = lateWords(request.id)
  return (
    <section className={`outcome ${toneOf(request)}`} aria-label={t('Outcome')}>
      {late !== undefined && (
        <div className="notice" role="alert">
          <p>
            <b>{t('Somebody else was first.')}</b> {t('What you sent was not taken.')}
          </p>
          {late !== '' && <pre className="own-words">{late}</pre>}
        </div>
      )}
      <h2 ref={title} tabIndex={-1}>
        {statusName(outcome.status)}
      </h2>
      <p className="who">
        <SaidTitle text={outcome.by} longest={80} /> · {channelName(outcome.channel)} · <Ago at={outcome.at} />
      </p>
      <Answers request={request} outcome={outcome} />
      {outcome.edited !== undefined && (
        <div>
          <p className="eyebrow">{t('Run instead')}</p>
          <Command command={outcome.edited} spans={noSpans} />
        </div>
      )}
      {outcome.always !== undefined && <p className="quiet">{alwaysWords(outcome.always)}</p>}
      {outcome.reason !== null && <Words label={t('Reason')} text={outcome.reason} />}
      {outcome.note !== null && <Words label={t('Note')} text={outcome.note} />}
      <Stages request={request} />
      <Next here={request.id} />
    </section>
  )
}

const noSpans: [number, number][] = []

function Answers({ request, outcome }: { request: Request; outcome: Outcome }) {
  if (request.kind === 'dependency') {
    return outcome.reference ? <p className="value">{t('Provided, and sealed')}</p> : null
  }
  const questions = questionsOf(request)
  return (
    <dl className="answers">
      {outcome.answers.map(answer => {
        const question = questions.find(({ id }) => id === answer.id)
        const values = [...answer.selected, ...(answer.text === null ? [] : [answer.text])]
        return (
          <div key={answer.id}>
            {questions.length > 1 && <dt>{titleText(question?.header || question?.question || answer.id, 200)}</dt>}
            {values.length === 0 && <dd className="blank">{t('left blank')}</dd>}
            {values.map((value, i) => (
              <dd key={`${i}`} className="value" dir="auto">
                <SaidLines text={value} />
              </dd>
            ))}
            {answer.note !== null && (
              <dd className="quiet">
                {t('Note')}: <SaidLines text={answer.note} />
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}

function alwaysWords(scope: RuleScope): string {
  return scope === 'exact'
    ? t('Exactly this is allowed from now on.')
    : t('Whatever begins like this is allowed from now on.')
}

function Words({ label, text }: { label: string; text: string }) {
  return (
    <p className="words">
      <span className="eyebrow">{label}</span>
      <SaidLines text={text} />
    </p>
  )
}

/** Settled and delivered are two facts; the second comes when the agent took it. */
function Stages({ request }: { request: Request }) {
  const ends = ['cancelled', 'orphaned'].includes(request.status)
  const stages = [
    { name: t('Settled'), at: request.settledAt, wait: '' },
    ...(ends ? [] : [{ name: t('Delivered'), at: request.deliveredAt, wait: t('The agent has not taken it yet') }]),
    ...(request.usedAt === null ? [] : [{ name: t('Used'), at: request.usedAt, wait: '' }]),
  ]
  return (
    <ol className="stages" aria-live="polite">
      {stages.map(({ name, at, wait }) => (
        <li key={name} className={at === null ? 'to-come' : 'done'}>
          <b>{name}</b> {at === null ? <span className="quiet">{wait}</span> : <Ago at={at} />}
        </li>
      ))}
    </ol>
  )
}

function Next({ here }: { here: string }) {
  const { requests } = useKnown()
  const next = pendingOf(requests).find(({ id }) => id !== here)
  if (!next) return <p className="quiet">{t('Nothing else waits for you.')}</p>
  return (
    <p>
      <Link href={paths.request(next.id)} className="button next">
        <span>{t('Next')}</span> <SaidTitle text={titleOf(next)} longest={60} />
      </Link>
    </p>
  )
}

function toneOf({ status, outcome }: Request): string {
  if (status === 'answered') return outcome?.answers[0]?.selected[0] === 'no' ? 'tone-no' : 'tone-yes'
  return status === 'declined' || status === 'expired' || status === 'cancelled' || status === 'orphaned'
    ? 'tone-no'
    : ''
}
