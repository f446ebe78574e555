import { memo, type ReactNode } from 'react'
import type { InboxView } from '../../../src/protocol/inbox.ts'
import type { Run } from '../../../src/protocol/run.ts'
import { Icon, type IconName, Mark } from '../components/icons.tsx'
import { parsePath, paths } from '../route.ts'
import { Link, useAddress, useRoute } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { useInbox } from '../state/inbox.ts'
import { useView } from '../state/use-view.ts'
import { inboxPath } from '../state/view.ts'
import { projectNames } from '../text/project-names.ts'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { runStatusName } from '../words/names.ts'
import { t } from '../words/translate.ts'
import './rail.css'

const mostProjects = 12
const mostRuns = 12

/** Where everything is: what waits, by project; what runs; what was. On a phone, a bar at the bottom. */
export const Rail = memo(function Rail({ onHelp }: { onHelp: () => void }) {
  const { counts, projects } = useInbox()
  // Not its id: going through the list does not change the rail.
  const page = useAddress(() => parsePath(location.pathname).page)
  const view = useView()
  const isInbox = page === 'inbox' || page === 'request'
  const nameOf = projectNames(projects.map(({ directory }) => directory))
  const current = (name: InboxView) => isInbox && view.view === name && view.project === undefined
  return (
    <nav className="rail" aria-label={t('Pages')}>
      <Link href={paths.inbox} className="rail-brand" aria-label={t('Beckon inbox')}>
        <Mark size={24} />
        <span>Beckon</span>
      </Link>
      <RailLink
        to={inboxPath({ view: 'urgent' })}
        icon="urgent"
        isCurrent={current('urgent')}
        count={counts.urgent}
        tone="urgent"
      >
        {t('Urgent')}
      </RailLink>
      <RailLink to={paths.inbox} icon="inbox" isCurrent={current('waiting')} count={counts.waiting} stays>
        {t('Inbox')}
      </RailLink>
      <RailLink to={inboxPath({ view: 'snoozed' })} icon="snooze" isCurrent={current('snoozed')} count={counts.snoozed}>
        {t('Snoozed')}
      </RailLink>
      {projects.length > 0 && (
        <section className="rail-group">
          <h2>{t('Projects')}</h2>
          {projects.slice(0, mostProjects).map(({ directory, count, urgent }) => (
            <RailLink
              key={directory}
              to={inboxPath({ view: 'waiting', project: directory })}
              isCurrent={isInbox && view.project === directory}
              count={count}
              tone={urgent > 0 ? 'some-urgent' : undefined}
              title={titleText(directory, 1_000)}
            >
              {nameOf(directory)}
            </RailLink>
          ))}
        </section>
      )}
      <LiveRuns />
      <span className="rail-spacer" />
      <RailLink to={paths.runs} icon="runs" isCurrent={page === 'runs' || page === 'run'} stays>
        {t('Runs')}
      </RailLink>
      <RailLink to={paths.history} icon="history" isCurrent={page === 'history'} stays>
        {t('History')}
      </RailLink>
      <RailLink to={paths.settings} icon="settings" isCurrent={page === 'settings'} stays>
        {t('Settings')}
      </RailLink>
      <button type="button" className="plain rail-link rail-keys" onClick={onHelp} title={t('Keyboard shortcuts')}>
        <Icon name="keys" />
        <span className="rail-name">{t('Keys')}</span>
        <span aria-hidden="true">
          <kbd>?</kbd>
        </span>
      </button>
    </nav>
  )
})

type Tone = 'urgent' | 'some-urgent'

interface LinkProps {
  to: string
  icon?: IconName
  isCurrent: boolean
  count?: number
  tone?: Tone | undefined
  /** Also in the bar of a phone. */
  stays?: boolean
  title?: string
  children: string
}

function RailLink({ to, icon, isCurrent, count = 0, tone, stays = false, title, children }: LinkProps) {
  return (
    <Link
      href={to}
      className={`rail-link ${stays ? 'rail-stays' : ''}`}
      aria-current={isCurrent ? 'page' : undefined}
      title={title}
    >
      {icon && (
        <span className="rail-icon">
          <Icon name={icon} />
          {count > 0 && <span className="rail-dot" aria-hidden="true" />}
        </span>
      )}
      <span className="rail-name">{children}</span>
      <Count count={count} tone={tone} />
    </Link>
  )
}

/** The runs that have not ended: a full dot works, an amber one waits for the person, a hollow one sleeps. */
function LiveRuns() {
  const { runs } = useHubState()
  const live = [...runs.values()].filter(({ endedAt }) => endedAt === null).sort(waitingFirst)
  if (live.length === 0) return null
  return (
    <section className="rail-group">
      <h2>{t('Running')}</h2>
      {live.slice(0, mostRuns).map(run => (
        <RunLink key={run.id} run={run} />
      ))}
    </section>
  )
}

function RunLink({ run }: { run: Run }): ReactNode {
  const { page, ...rest } = useRoute()
  const isCurrent = page === 'run' && 'id' in rest && rest.id === run.id
  const state =
    run.waiting.length > 0 ? 'waits' : run.status === 'asleep' || run.status === 'paused' ? 'sleeps' : 'works'
  return (
    <Link
      href={paths.run(run.id)}
      className="rail-link"
      aria-current={isCurrent ? 'page' : undefined}
      title={runStatusName(run)}
    >
      <i className={`rail-run rail-run-${state}`} aria-hidden="true" />
      <span className="rail-name">
        <UntrustedTitle text={run.name} longest={60} />
      </span>
      <span className="visually-hidden">{runStatusName(run)}</span>
      <Count count={run.waiting.length} tone={undefined} />
    </Link>
  )
}

function Count({ count, tone }: { count: number; tone: Tone | undefined }) {
  if (count === 0) return null
  return (
    <span className={`rail-count ${tone ? `rail-count-${tone}` : ''}`} title={t('{count} waiting', { count })}>
      {count}
    </span>
  )
}

function waitingFirst(a: Run, b: Run): number {
  return b.waiting.length - a.waiting.length || (a.startedAt < b.startedAt ? 1 : -1)
}
