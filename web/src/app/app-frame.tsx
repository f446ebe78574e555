import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import type { Session } from '../api/session.ts'
import { base } from '../base.ts'
import { DialogLoading, loadChunk } from '../browser/load-chunk.tsx'
import { useNotifications } from '../browser/notifications.ts'
import { useGoTo, useShortcuts } from '../browser/shortcuts.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { InboxList } from '../list/inbox-list.tsx'
import { PaletteOnKey } from '../palette/palette-key.tsx'
import { paths, type Route } from '../route.ts'
import { go, Link, useRoute } from '../router.tsx'
import { useHubState } from '../state/hub-state.ts'
import { useInbox } from '../state/inbox.ts'
import { t } from '../words/translate.ts'
import { pageTitle } from './page-title.ts'
import { Rail } from './rail.tsx'
import { RequestPane } from './request-pane.tsx'
import './app-frame.css'
import '../pages/page.css'

const Runs = lazy(() => loadChunk(() => import('../pages/runs.tsx')))
const RunPage = lazy(() => loadChunk(() => import('../pages/run.tsx')))
const History = lazy(() => loadChunk(() => import('../pages/history.tsx')))
const Settings = lazy(() => loadChunk(() => import('../pages/settings.tsx')))
const KeyHelp = lazy(() => loadChunk(() => import('../keys/help.tsx')))

interface Props {
  session: Session
  onSignedOut: () => void
}

/** The frame around every page: the rail, the state of the connection, and announcements for screen readers. */
export function AppFrame({ session, onSignedOut }: Props) {
  const route = useRoute()
  const [help, setHelp] = useState(false)
  const announcement = useNotifications()
  const showHelp = useCallback(() => setHelp(true), [])
  useShortcuts({ '?': showHelp })
  useGoTo({
    i: () => go(paths.inbox),
    r: () => go(paths.runs),
    h: () => go(paths.history),
    s: () => go(paths.settings),
  })
  useTitle(route)

  return (
    <div className="app-frame" data-page={route.page}>
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <Rail onHelp={showHelp} />
      <main id="main" className="frame-main" tabIndex={-1}>
        <ErrorBoundary key={sectionOf(route)}>
          <Suspense fallback={<PageSkeleton />}>{page()}</Suspense>
        </ErrorBoundary>
      </main>
      <Connection />
      <output className="visually-hidden" aria-live="polite">
        {announcement}
      </output>
      <PaletteOnKey />
      <Suspense fallback={<DialogLoading />}>{help && <KeyHelp onClose={() => setHelp(false)} />}</Suspense>
    </div>
  )

  function page(): ReactNode {
    switch (route.page) {
      case 'inbox':
      case 'request': {
        const open = route.page === 'request' ? route.id : null
        return (
          <div className={`panes ${open === null ? '' : 'with-request'}`}>
            <InboxList open={open} />
            <RequestPane open={open} session={session} />
          </div>
        )
      }
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

function useTitle(route: Route): void {
  const known = useHubState()
  const { counts } = useInbox()
  const title = pageTitle(route, known, counts.waiting)
  useEffect(() => {
    document.title = title
  }, [title])
  const hasAny = counts.waiting > 0
  useEffect(() => {
    document.getElementById('favicon')?.setAttribute('href', `${base}/assets/icon${hasAny ? '-waiting' : ''}.svg`)
  }, [hasAny])
}

function sectionOf({ page }: Route): string {
  if (page === 'request') return 'inbox'
  return page === 'run' ? 'runs' : page
}

function Connection() {
  const { phase } = useHubState()
  return (
    <output className={`connection ${phase}`}>
      {phase === 'lost' &&
        (navigator.onLine ? t('Connection lost. Reconnecting…') : t('You are offline. Reconnecting…'))}
    </output>
  )
}

/** The shape of a page whose code is on its way. */
function PageSkeleton() {
  return (
    <div className="page page-skeleton" aria-busy="true">
      <i />
      <i />
      <i />
    </div>
  )
}
