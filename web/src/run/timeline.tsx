import { useEffect } from 'react'
import { titleOf } from '../../../src/core/title.ts'
import type { Event } from '../../../src/protocol/event.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import { listRequests } from '../api/requests.ts'
import { learn, useKnown } from '../live.ts'
import { Link, paths } from '../router.tsx'
import { SaidTitle, titleText } from '../text/said.tsx'
import { plainKindName } from '../words/names.ts'
import { clock, day, moment } from '../words/times.ts'
import { t } from '../words/words.ts'
import { useRunEvents } from './use-run-events.ts'

/** Something that happened, or a request with all that happened to it. */
interface Fact {
  readonly at: string
  readonly what: string
  readonly tone: string
  readonly detail?: string | null
  readonly request?: Request
}

/** What happened to a run, newest first: its requests, as they are known, and what its events tell beyond them. */
export function Timeline({ run }: { run: Run }) {
  const { requests } = useKnown()
  const events = useRunEvents(run.id)
  useEffect(() => {
    listRequests({ run: run.id, status: 'all', order: 'desc', limit: 200 }).then(
      page => learn(...page.requests),
      () => {},
    )
  }, [run.id])
  const own = [...requests.values()].filter(request => request.run === run.id)
  const facts = [...own.map(askedOf), ...startAndEnd(run), ...events.flatMap(factOf)]
  facts.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return (
    <ol className="timeline">
      {facts.map((fact, i) => (
        <li key={`${fact.at} ${fact.what} ${i}`} className={fact.tone}>
          {day(fact.at) !== day(facts[i - 1]?.at ?? fact.at) && <p className="timeline-day">{day(fact.at)}</p>}
          <time dateTime={fact.at} title={moment(fact.at)}>
            {clock(fact.at)}
          </time>
          <span>
            <b>{fact.what}</b>
            {fact.request && <Asked request={fact.request} />}
            {fact.detail && (
              <span className="quiet">
                {' '}
                <SaidTitle text={fact.detail} longest={300} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** One request: what it was, and how far it came. */
function Asked({ request }: { request: Request }) {
  const { settledAt, deliveredAt, usedAt, outcome } = request
  const who = outcome && outcome.by !== request.run ? titleText(outcome.by, 60) : null
  const stages: [string | null, string][] = [
    [settledAt, who ? t('Settled by {who}', { who }) : t('Settled')],
    [usedAt, t('Used')],
    [deliveredAt, t('Delivered')],
  ]
  return (
    <>
      {' '}
      <Link href={paths.request(request.id)}>
        <SaidTitle text={titleOf(request)} longest={100} />
      </Link>
      <span className="timeline-stages">
        {stages.map(
          ([at, name]) =>
            at !== null && (
              <span key={name}>
                {name} <time dateTime={at}>{clock(at)}</time>
              </span>
            ),
        )}
      </span>
    </>
  )
}

function askedOf(request: Request): Fact {
  const tone = request.status === 'pending' ? 'tone-asked' : request.status === 'answered' ? 'tone-yes' : ''
  return { at: request.createdAt, what: `${plainKindName(request.kind)}:`, request, tone }
}

function startAndEnd(run: Run): Fact[] {
  const end = { completed: t('Completed'), failed: t('Failed'), stopped: t('Stopped') } as Record<string, string>
  const started: Fact = { at: run.startedAt, what: t('Started'), tone: '' }
  if (run.endedAt === null) return [started]
  return [
    started,
    { at: run.endedAt, what: end[run.status] ?? t('Ended'), tone: run.status === 'failed' ? 'tone-no' : '' },
  ]
}

/** Requests, start and end are told by what is stored; of events, the rest. */
function factOf(event: Event): Fact[] {
  const names: Partial<Record<Event['type'], string>> = {
    'run.paused': t('Paused'),
    'run.resumed': t('Resumed'),
    'run.asleep': t('Fell asleep'),
    'run.woken': t('Woken'),
    'run.error': t('Trouble'),
  }
  const what = names[event.type]
  if (!what) return []
  const said = event.data.error ?? event.data.reason ?? event.data.message
  const detail = typeof said === 'string' ? said : null
  return [{ at: event.at, what, detail, tone: event.type === 'run.error' ? 'tone-no' : '' }]
}
