import { useEffect } from 'react'
import type { Event } from '../../../src/protocol/event.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import type { Status } from '../../../src/protocol/status.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { listRequests } from '../api/requests.ts'
import { learn, useKnown } from '../live.ts'
import { Link, paths } from '../router.tsx'
import { SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { kindName, statusName } from '../words/names.ts'
import { clock, dayOf, isSameDay, moment } from '../words/times.ts'
import { t } from '../words/words.ts'
import { useRunEvents } from './use-run-events.ts'

/** Something that happened, or a request with all that happened to it. */
interface Fact {
  readonly at: string
  readonly what: string
  readonly tone: string
  readonly detail?: string | null
  /** What was asked, and what became of it since. */
  readonly request?: Request
  readonly stages?: readonly { readonly name: string; readonly at: string }[]
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
  const facts = [...own.map(asked), ...startAndEnd(run), ...events.flatMap(factOf)]
  facts.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return (
    <div className="timeline">
      {[...Map.groupBy(facts, ({ at }) => new Date(at).toDateString())].map(([day, facts]) => (
        <section key={day}>
          <h3>{facts[0] && dayOf(facts[0].at, 0)}</h3>
          <ol>
            {facts.map((fact, i) => (
              <FactOf key={fact.request?.id ?? `${fact.at} ${fact.what} ${i}`} fact={fact} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function FactOf({ fact: { at, what, request, stages = [], detail = null, tone } }: { fact: Fact }) {
  return (
    <li className={tone}>
      <time dateTime={at}>{clock(at)}</time>
      <span>
        <b>{what}</b>{' '}
        {request && (
          <Link href={paths.request(request.id)}>
            <SaidTitle text={titleOf(request)} longest={100} />
          </Link>
        )}
        {detail !== null && (
          <span className="quiet">
            <SaidTitle text={detail} longest={300} />
          </span>
        )}
      </span>
      {stages.map(stage => (
        <span key={stage.name} className="stage">
          <b>{stage.name}</b>{' '}
          <time dateTime={stage.at}>{isSameDay(stage.at, at) ? clock(stage.at) : moment(stage.at)}</time>
        </span>
      ))}
    </li>
  )
}

function asked(request: Request): Fact {
  const { createdAt, settledAt, deliveredAt, usedAt, outcome, status } = request
  // A deadline and the end of a run are nobody.
  const who = outcome === null || outcome.channel === 'policy' ? '' : ` · ${titleText(outcome.by, 60)}`
  const stage = (name: string, at: string | null) => (at === null ? [] : [{ name, at }])
  return {
    at: createdAt,
    what: `${kindName(request)}:`,
    tone: status === 'pending' ? 'tone-asked' : noes.includes(status) ? 'tone-no' : 'tone-yes',
    request,
    stages: [
      ...stage(`${statusName(status)}${who}`, settledAt),
      ...stage(t('Delivered'), deliveredAt),
      ...stage(t('Used'), usedAt),
    ],
  }
}

const noes: readonly Status[] = ['declined', 'expired', 'cancelled', 'orphaned']

function startAndEnd(run: Run): Fact[] {
  const end = { completed: t('Completed'), failed: t('Failed'), stopped: t('Stopped') } as Record<string, string>
  return [
    { at: run.startedAt, what: t('Started'), tone: '' },
    ...(run.endedAt === null
      ? []
      : [{ at: run.endedAt, what: end[run.status] ?? t('Ended'), tone: run.status === 'failed' ? 'tone-no' : '' }]),
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
