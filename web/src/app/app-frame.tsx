import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Session } from '../api/session.ts'
import { loadChunk } from '../browser/load-chunk.ts'
import { useNotifications } from '../browser/notifications.ts'
import { useShortcuts } from '../browser/shortcuts.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { Icon, Mark } from '../components/icons.tsx'
import { KeyHelp } from '../keys/help.tsx'
import { Inbox } from '../pages/inbox.tsx'
import { RequestPage } from '../pages/request.tsx'
import { go, Link, paths, type Route, useRoute } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { pendingRequests } from '../state/inbox-order.ts'
import { t } from '../words/translate.ts'
import { pageTitle } from './page-title.ts'

const Runs = lazy(() => loadChunk(() => import('../pages/runs.tsx')))
const RunPage = lazy(() => loadChunk(() => import('../pages/run.tsx')))
const History = lazy(() => loadChunk(() => import('../pages/history.tsx')))
const Settings = lazy(() => loadChunk(() => import('../pages/settings.tsx')))

interface Props {
  session: Session
  onSignedOut: () => void
}

/** The frame around every page: navigation, the state of the connection, and announcements for screen readers. */
export function AppFrame({ session, onSignedOut }: Props) {
  const route = useRoute()
  const known = useHubState()
  const [help, setHelp] = useState(false)
  const waiting = pendingRequests(known.requests).length
  const announcement = useNotifications(known)
  useShortcuts({ '?': () => setHelp(true) })
  // With a single request there is nothing to choose from: open it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    const [only, ...others] = known.isLoaded ? pendingRequests(known.requests) : []
    const isWide = matchMedia('(min-width: 860px)').matches
    if (only && others.length === 0 && isWide && route.page === 'inbox') go(paths.request(only.id), { replace: true })
  }, [known.isLoaded])
  const title = pageTitle(route, known)
  useEffect(() => {
    document.title = title
  }, [title])

  return (
    <div className="app-frame" data-page={route.page}>
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <header className="top-bar">
        <Link href={paths.inbox} className="brand" aria-label={t('Beckon inbox')}>
          <Mark size={28} />
          <span>Beckon</span>
        </Link>
        <nav aria-label={t('Pages')}>
          <Tab to="inbox" here={route} count={waiting}>
            {t('Inbox')}
          </Tab>
          <Tab to="runs" here={route}>
            {t('Runs')}
          </Tab>
          <Tab to="history" here={route}>
            {t('History')}
          </Tab>
          <Tab to="settings" here={route}>
            {t('Settings')}
          </Tab>
        </nav>
        <div className="top-bar-end">
          <Connection phase={known.phase} />
          <button
            type="button"
            className="plain keys-button"
            onClick={() => setHelp(true)}
            aria-label={t('Keyboard shortcuts')}
          >
            <Icon name="keys" />
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={sectionOf(route)}>
          <Suspense fallback={<output className="loading-screen">{t('Loading…')}</output>}>{page()}</Suspense>
        </ErrorBoundary>
      </main>
      <output className="visually-hidden" aria-live="polite">
        {announcement}
      </output>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  )

  function emptyText(): string {
    if (!known.isLoaded) return t('Loading…')
    return waiting > 0 ? t('Select a request to answer it here.') : t('No requests waiting')
  }

  function page(): ReactNode {
    switch (route.page) {
      case 'inbox':
        return (
          <div className="panes">
            <Inbox open={null} />
            <div className="pane-empty">
              <div>
                <Mark size={44} />
                <p>{emptyText()}</p>
                {waiting > 0 && (
                  <p className="quiet">
                    <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd> · <kbd>?</kbd>
                  </p>
                )}
              </div>
            </div>
          </div>
        )
      case 'request':
        return (
          <div className="panes with-request">
            <Inbox open={route.id} />
            <ErrorBoundary key={route.id}>
              <RequestPage id={route.id} session={session} />
            </ErrorBoundary>
          </div>
        )
      case 'runs':
        return <Runs />
      case 'run':
        return <RunPage key={route.id} id={route.id} />
      case 'history':
        return <History />
      case 'settings':
        return <Settings session={session} onSignedOut={onSignedOut} />
      case 'not-found':
        return (
          <div className="page">
            <h1>{t('Page not found')}</h1>
            <p>
              <Link href={paths.inbox}>{t('Back to inbox')}</Link>
            </p>
          </div>
        )
    }
  }
}

type Section = 'inbox' | 'runs' | 'history' | 'settings'

function Tab({ to, here, count = 0, children }: { to: Section; here: Route; count?: number; children: string }) {
  return (
    <Link href={paths[to]} aria-current={sectionOf(here) === to ? 'page' : undefined}>
      <span className="tab-icon">
        <Icon name={to} />
        {count > 0 && <span className="tab-dot" aria-hidden="true" />}
      </span>
      <span>{children}</span>
      {count > 0 && (
        <span className="count" title={t('{count} waiting', { count })}>
          {count}
        </span>
      )}
    </Link>
  )
}

function sectionOf({ page }: Route): Section | null {
  if (page === 'request') return 'inbox'
  if (page === 'run') return 'runs'
  return page === 'not-found' ? null : page
}

function Connection({ phase }: { phase: 'loading' | 'live' | 'lost' }) {
  return (
    <output className={`connection ${phase}`}>
      {phase === 'lost' ? t('Connection lost. Reconnecting…') : phase === 'loading' ? t('Loading…') : ''}
    </output>
  )
}
