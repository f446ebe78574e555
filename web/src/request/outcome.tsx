import { useEffect, useRef } from 'react'
import type { Outcome } from '../../../src/protocol/answer.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { RuleScope } from '../../../src/protocol/rule.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { useKnown } from '../live.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Link, paths } from '../router.tsx'
import { SaidLines, SaidTitle } from '../text/untrusted-text.tsx'
import { askerOf, pendingOf } from '../waiting.ts'
import { deciderName, kindName, statusName } from '../words/names.ts'
import { clock, isSameDay, moment, took } from '../words/times.ts'
import { t } from '../words/words.ts'
import { Answers } from './answers.tsx'
import { Command } from './command.tsx'
import { type Late, useLate, wordsIn } from './lost-race.ts'

/** What became of it, who decided, and whether the agent has it. */
export function OutcomeOf({ request, isNew, user }: { request: Request; isNew: boolean; user: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNew) title.current?.focus()
  }, [isNew])
  const late = useLate(request.id)
  const { outcome } = request
  if (!outcome) return null
  return (
    <section className={`outcome ${toneOf(request)}`} aria-label={t('Outcome')}>
      {late !== undefined && <TooLate late={late} outcome={outcome} user={user} />}
      <h2 ref={title} tabIndex={-1}>
        {statusName(outcome.status)}
      </h2>
      <p className="who">
        <Who request={request} outcome={outcome} /> · <time dateTime={outcome.at}>{moment(outcome.at)}</time>
        {request.settledAt !== null && (
          <> · {t('after {time}', { time: took(request.createdAt, request.settledAt) })}</>
        )}
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

function TooLate({ late: { words, sent }, outcome, user }: { late: Late; outcome: Outcome; user: string }) {
  // Begun here, finished on another screen.
  if (!sent && words === wordsIn(outcome.answers)) return null
  return (
    <div className="notice" role="alert">
      <p>
        <b>{whoWasFirst(outcome, user)}</b> {sent ? t('What you sent was not taken.') : t('What you had begun:')}
      </p>
      {words !== '' && (
        <pre className="own-words">
          <SaidLines text={words} />
        </pre>
      )}
      {words !== '' && <CopyButton text={words} />}
    </div>
  )
}

function whoWasFirst({ status, by }: Outcome, user: string): string {
  if (!['answered', 'declined', 'skipped'].includes(status)) return t('It ended while you were writing.')
  return by === user ? t('You settled it elsewhere.') : t('Somebody else was first.')
}

/** A person and where; or the run, when it ended under its requests. */
function Who({ request, outcome }: { request: Request; outcome: Outcome }) {
  const { runs } = useKnown()
  if (request.run !== null && outcome.by === request.run) {
    return (
      <>
        {outcome.status !== 'orphaned' && `${t('its run has ended')} `}
        <Link href={paths.run(request.run)}>
          <SaidTitle text={runs.get(request.run)?.name ?? request.run} longest={80} />
        </Link>
      </>
    )
  }
  return deciderName(request)
}

const noSpans: [number, number][] = []

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
          <b>{name}</b> {at === null ? <span className="quiet">{wait}</span> : <time dateTime={at}>{exactly(at)}</time>}
        </li>
      ))}
    </ol>
  )

  // Its day stands above.
  function exactly(at: string): string {
    return request.settledAt !== null && isSameDay(at, request.settledAt) ? clock(at) : moment(at)
  }
}

function Next({ here }: { here: string }) {
  const { requests, runs } = useKnown()
  const next = pendingOf(requests).find(({ id }) => id !== here)
  if (!next) return <p className="quiet">{t('Nothing else waits for you.')}</p>
  return (
    <p>
      <Link href={paths.request(next.id)} className="button next">
        <span className="next-what">
          {t('Next')}: {kindName(next)} · <SaidTitle text={askerOf(next, runs)} longest={40} />
        </span>
        <span className={next.kind === 'approval' ? 'quiet mono' : 'quiet'}>
          <SaidTitle text={titleOf(next)} longest={80} />
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
