import { useEffect, useState } from 'react'
import { titleOf } from '../../../src/core/title.ts'
import type { Event } from '../../../src/protocol/event.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import { listRequests } from '../api/requests.ts'
import { listEvents } from '../api/runs.ts'
import { lastEventSeen, learn, onEvent, useKnown } from '../live.ts'
import { Link, paths } from '../router.tsx'
import { SaidTitle } from '../text/said.tsx'
import { clock, moment } from '../words/times.ts'
import { t } from '../words/words.ts'

interface Fact {
  readonly at: string
  readonly what: string
  readonly request: Request | null
  readonly detail: string | null
  readonly tone: string
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
  const facts = [...own.flatMap(factsOf), ...startAndEnd(run), ...events.flatMap(factOf)]
  facts.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return (
    <ol className="timeline">
      {facts.map((fact, i) => (
        <li key={`${fact.at} ${fact.what} ${i}`} className={fact.tone}>
          <time dateTime={fact.at} title={moment(fact.at)}>
            {clock(fact.at)}
          </time>
          <span>
            <b>{fact.what}</b>{' '}
            {fact.request && (
              <Link href={paths.request(fact.request.id)}>
                <SaidTitle text={titleOf(fact.request)} longest={100} />
              </Link>
            )}
            {fact.detail !== null && (
              <span className="quiet">
                <SaidTitle text={fact.detail} longest={300} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

function factsOf(request: Request): Fact[] {
  const { createdAt, settledAt, deliveredAt, usedAt, outcome } = request
  const fact = (at: string | null, what: string, tone = ''): Fact[] =>
    at === null ? [] : [{ at, what, request, detail: null, tone }]
  return [
    ...fact(createdAt, t('Asked'), 'tone-asked'),
    ...fact(settledAt, outcome ? t('Settled by {who}', { who: outcome.by }) : t('Settled'), 'tone-yes'),
    ...fact(deliveredAt, t('Delivered')),
    ...fact(usedAt, t('Used')),
  ]
}

function startAndEnd(run: Run): Fact[] {
  const end = { completed: t('Completed'), failed: t('Failed'), stopped: t('Stopped') } as Record<string, string>
  const fact = (at: string, what: string, tone = ''): Fact => ({ at, what, request: null, detail: null, tone })
  return [
    fact(run.startedAt, t('Started')),
    ...(run.endedAt === null
      ? []
      : [fact(run.endedAt, end[run.status] ?? t('Ended'), run.status === 'failed' ? 'tone-no' : '')]),
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
  return [{ at: event.at, what, request: null, detail, tone: event.type === 'run.error' ? 'tone-no' : '' }]
}

const lookBack = 5_000
const page = 1_000

function useRunEvents(run: string): readonly Event[] {
  const [events, setEvents] = useState<readonly Event[]>([])
  useEffect(() => {
    let over = false
    const add = (found: Event[]) => {
      const own = found.filter(event => event.run === run)
      if (over || own.length === 0) return
      setEvents(before => [...before.filter(({ id }) => !own.some(event => event.id === id)), ...own])
    }
    void lookBackAt(add, () => over)
    const stop = onEvent(event => add([event]))
    return () => {
      over = true
      stop()
    }
  }, [run])
  return events
}

async function lookBackAt(add: (found: Event[]) => void, isOver: () => boolean): Promise<void> {
  const end = lastEventSeen()
  for (let since = Math.max(0, end - lookBack); since < end && !isOver(); ) {
    const { events } = await listEvents(since, page).catch(() => ({ events: [] }))
    add(events)
    const last = events.at(-1)?.id
    if (last === undefined) return
    since = last
  }
}
