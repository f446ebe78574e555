import { useEffect, useRef } from 'react'
import type { Outcome } from '../../../src/protocol/answer.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { editText } from '../../../src/rules/action-text.ts'
import { Command } from '../approval/command.tsx'
import { takeFocus } from '../browser/take-focus.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { answersText, type LostAnswer, useLostAnswer } from '../outbox/lost-race.ts'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { useInbox } from '../state/inbox.ts'
import { nextWaiting } from '../state/next.ts'
import { requestPath } from '../state/view.ts'
import { UntrustedLines, UntrustedTitle } from '../text/untrusted-text.tsx'
import { deciderName, rowKindName, statusName, withdrawnText } from '../words/names.ts'
import { clock, isSameDay, moment, took } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { Answers } from './answers.tsx'
import './outcome.css'

/** How the request was settled, by whom, and whether the agent has picked it up. */
export function OutcomeView({ request, isNew, user }: { request: Request; isNew: boolean; user: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNew) takeFocus(title.current)
  }, [isNew])
  const lost = useLostAnswer(request.id)
  const { outcome } = request
  if (!outcome) return null
  return (
    <section className={`outcome ${toneOf(request)}`} aria-label={t('Outcome')}>
      {lost !== undefined && <LostRaceNotice lost={lost} outcome={outcome} user={user} />}
      <h2 ref={title} tabIndex={-1}>
        {statusName(outcome.status)}
      </h2>
      <p className="decided-by">
        <DecidedBy request={request} outcome={outcome} /> · <time dateTime={outcome.at}>{moment(outcome.at)}</time>
        {request.settledAt !== null && (
          <> · {t('after {time}', { time: took(request.createdAt, request.settledAt) })}</>
        )}
      </p>
      <Answers request={request} outcome={outcome} />
      {outcome.edited !== undefined && (
        <div>
          <p className="eyebrow">{t('Approved instead')}</p>
          <Command command={editText(outcome.edited)} spans={noSpans} />
        </div>
      )}
      {outcome.always !== undefined && <p className="quiet">{ruleText(outcome.always)}</p>}
      {outcome.reason !== null && <LabelledText label={t('Reason')} text={withdrawnText(outcome.reason)} />}
      {outcome.note !== null && <LabelledText label={t('Note')} text={outcome.note} />}
      <Stages request={request} />
      <NextRequest after={request.id} />
    </section>
  )
}

function LostRaceNotice({ lost: { text, sent }, outcome, user }: { lost: LostAnswer; outcome: Outcome; user: string }) {
  // The person started here and finished the same answer on another screen.
  if (!sent && text === answersText(outcome.answers)) return null
  return (
    <div className="notice" role="alert">
      <p>
        <b>{whoWasFirst(outcome, user)}</b> {sent ? t('Your answer was not used.') : t('Your unsent answer:')}
      </p>
      {text !== '' && (
        <pre className="lost-answer">
          <UntrustedLines text={text} />
        </pre>
      )}
      {text !== '' && <CopyButton text={text} />}
    </div>
  )
}

function whoWasFirst({ status, by }: Outcome, user: string): string {
  if (!['answered', 'declined', 'skipped'].includes(status)) return t('This request ended while you were writing.')
  return by === user ? t('You already answered this elsewhere.') : t('Someone else answered first.')
}

/** The person and the channel, or the run if it ended with the request open. */
function DecidedBy({ request, outcome }: { request: Request; outcome: Outcome }) {
  const { runs } = useHubState()
  if (request.run !== null && outcome.by === request.run) {
    return (
      <>
        {outcome.status !== 'orphaned' && `${t('Run ended:')} `}
        <Link href={paths.run(request.run)}>
          <UntrustedTitle text={runs.get(request.run)?.name ?? request.run} longest={80} />
        </Link>
      </>
    )
  }
  return deciderName(request)
}

const noSpans: [number, number][] = []

function ruleText(scope: NonNullable<Outcome['always']>): string {
  if (scope === 'answer') return t('The same question is now answered like this without asking.')
  return scope === 'exact'
    ? t('This exact command is now allowed.')
    : t('Commands that start like this are now allowed.')
}

function LabelledText({ label, text }: { label: string; text: string }) {
  return (
    <p className="labelled-text">
      <span className="eyebrow">{label}</span>
      <UntrustedLines text={text} />
    </p>
  )
}

/** Settled and delivered are two facts: the second follows when the agent picks it up. */
function Stages({ request }: { request: Request }) {
  const ends = ['cancelled', 'orphaned'].includes(request.status)
  const stages = [
    { name: t('Settled'), at: request.settledAt, wait: '' },
    ...(ends ? [] : [{ name: t('Delivered'), at: request.deliveredAt, wait: t('The agent has not picked it up yet') }]),
    ...(request.usedAt === null ? [] : [{ name: t('Used'), at: request.usedAt, wait: '' }]),
  ]
  return (
    <ol className="stages" aria-live="polite">
      {stages.map(({ name, at, wait }) => (
        <li key={name} className={at === null ? 'not-yet' : 'done'}>
          <b>{name}</b> {at === null ? <span className="quiet">{wait}</span> : <time dateTime={at}>{timeOf(at)}</time>}
        </li>
      ))}
    </ol>
  )

  // The day is shown above.
  function timeOf(at: string): string {
    return request.settledAt !== null && isSameDay(at, request.settledAt) ? clock(at) : moment(at)
  }
}

function NextRequest({ after }: { after: string }) {
  const { rows } = useInbox()
  const { runs } = useHubState()
  const nextId = nextWaiting(after)
  const next = rows.find(({ id }) => id === nextId)
  if (!next) return <p className="quiet">{t('No other requests are waiting.')}</p>
  return (
    <p>
      <Link href={requestPath(next.id)} className="button next">
        <span className="next-kind">
          {t('Next')}: {rowKindName(next)} ·{' '}
          <UntrustedTitle text={(next.run === null ? null : runs.get(next.run)?.name) ?? next.agent} longest={40} />
        </span>
        <span className={next.kind === 'approval' ? 'quiet mono' : 'quiet'}>
          <UntrustedTitle text={next.title} longest={80} />
        </span>
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
