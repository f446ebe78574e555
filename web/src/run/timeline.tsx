import type { Event } from '../../../src/protocol/event.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import type { Status } from '../../../src/protocol/status.ts'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
import { useRunRequests } from '../state/run-requests.ts'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { kindName, reasonText, statusName } from '../words/names.ts'
import { lineTitle } from '../words/request-title.ts'
import { clock, dayOf, isSameDay, moment } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { useRunEvents } from './use-run-events.ts'
import './timeline.css'

/** An event of the run, or a request with everything that happened to it. */
interface TimelineEntry {
  readonly at: string
  readonly label: string
  readonly tone: string
  readonly detail?: string | null
  readonly request?: Request
  readonly stages?: readonly { readonly name: string; readonly at: string }[]
}

/** What happened to a run, newest first: its requests as stored, and the other events. */
export function Timeline({ run }: { run: Run }) {
  const own = useRunRequests(run.id)
  const events = useRunEvents(run.id)
  const entries = [...own.map(requestEntry), ...runEntries(run), ...events.flatMap(eventEntries)]
  entries.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return (
    <div className="timeline">
      {[...Map.groupBy(entries, ({ at }) => new Date(at).toDateString())].map(([day, entries]) => (
        <section key={day}>
          <h3>{entries[0] && dayOf(entries[0].at, 0)}</h3>
          <ol>
            {entries.map((entry, i) => (
              <TimelineItem key={entry.request?.id ?? `${entry.at} ${entry.label} ${i}`} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function TimelineItem({ entry: { at, label, request, stages = [], detail = null, tone } }: { entry: TimelineEntry }) {
  return (
    <li className={tone}>
      <time dateTime={at}>{clock(at)}</time>
      <span>
        <b>{label}</b>{' '}
        {request && (
          <Link href={paths.request(request.id)}>
            <UntrustedTitle text={lineTitle(request)} longest={100} />
          </Link>
        )}
        {detail !== null && (
          <span className="quiet">
            <UntrustedTitle text={detail} longest={300} />
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

function requestEntry(request: Request): TimelineEntry {
  const { createdAt, settledAt, deliveredAt, usedAt, outcome, status } = request
  // Nobody decided if it was a deadline or the end of the run.
  const who = outcome === null || outcome.channel === 'policy' ? '' : ` · ${titleText(outcome.by, 60)}`
  const stage = (name: string, at: string | null) => (at === null ? [] : [{ name, at }])
  return {
    at: createdAt,
    label: `${kindName(request)}:`,
    tone: status === 'pending' ? 'tone-pending' : negative.includes(status) ? 'tone-no' : 'tone-yes',
    request,
    stages: [
      ...stage(`${statusName(status)}${who}`, settledAt),
      ...stage(t('Delivered'), deliveredAt),
      ...stage(t('Used'), usedAt),
    ],
  }
}

const negative: readonly Status[] = ['declined', 'expired', 'cancelled', 'orphaned']

function runEntries(run: Run): TimelineEntry[] {
  const end = { completed: t('Completed'), failed: t('Failed'), stopped: t('Stopped') } as Record<string, string>
  return [
    { at: run.startedAt, label: t('Started'), tone: '' },
    ...(run.endedAt === null
      ? []
      : [
          {
            at: run.endedAt,
            label: end[run.status] ?? t('Ended'),
            detail: run.reason && reasonText(run.reason),
            tone: run.status === 'failed' ? 'tone-no' : '',
          },
        ]),
  ]
}

/** The stored records show requests, start and end; events show the rest. */
function eventEntries(event: Event): TimelineEntry[] {
  const names: Partial<Record<Event['type'], string>> = {
    'run.paused': t('Paused'),
    'run.resumed': t('Resumed'),
    'run.asleep': t('Went to sleep'),
    'run.woken': t('Woke up'),
    'run.error': t('Error'),
  }
  const label = names[event.type]
  if (!label) return []
  const reason = event.data.error ?? event.data.reason ?? event.data.message
  const detail = typeof reason === 'string' ? reason : null
  return [{ at: event.at, label, detail, tone: event.type === 'run.error' ? 'tone-no' : '' }]
}
