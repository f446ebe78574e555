import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { Session } from './api/session.ts'
import { fetched } from './fetched.ts'
import { useKeys } from './keys.ts'
import { useKnown } from './live.ts'
import { useNotices } from './notices.ts'
import { pageTitle } from './page-title.ts'
import { Inbox } from './pages/inbox.tsx'
import { RequestPage } from './pages/request.tsx'
import { Mishap } from './parts/error-boundary.tsx'
import { Icon, Mark } from './parts/icons.tsx'
import { KeyHelp } from './parts/key-help.tsx'
import { go, Link, paths, type Route, useRoute } from './router.tsx'
import { pendingOf } from './waiting.ts'
import { t } from './words/words.ts'

const Runs = lazy(() => fetched(() => import('./pages/runs.tsx')))
const RunPage = lazy(() => fetched(() => import('./pages/run.tsx')))
const History = lazy(() => fetched(() => import('./pages/history.tsx')))
const Settings = lazy(() => fetched(() => import('./pages/settings.tsx')))

interface Props {
  session: Session
  onSignedOut: () => void
}

/** The frame around every page: where one is, where one can go, and whether what is shown is up to date. */
export function Shell({ session, onSignedOut }: Props) {
  const route = useRoute()
  const known = useKnown()
  const [help, setHelp] = useState(false)
  const waiting = pendingOf(known.requests).length
  const said = useNotices(known)
  useKeys({ '?': () => setHelp(true) })
  // Whoever comes to a single request has nothing to choose.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    const [only, ...others] = known.isLoaded ? pendingOf(known.requests) : []
    const isWide = matchMedia('(min-width: 860px)').matches
    if (only && others.length === 0 && isWide && route.page === 'inbox') go(paths.request(only.id), { replace: true })
  }, [known.isLoaded])
  const title = pageTitle(route, known)
  useEffect(() => {
    document.title = title
  }, [title])

  return (
    <div className="shell" data-page={route.page}>
      <a className="skip-link" href="#main">
        {t('Skip to the content')}
      </a>
      <header className="top">
        <Link href={paths.inbox} className="brand" aria-label={t('Beckon, inbox')}>
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
        <div className="top-end">
          <Connection phase={known.phase} />
          <button type="button" className="plain keys-button" onClick={() => setHelp(true)} aria-label={t('Keys')}>
            <Icon name="keys" />
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Mishap key={placeOf(route)}>
          <Suspense fallback={<output className="first-look">{t('Loading…')}</output>}>{page()}</Suspense>
        </Mishap>
      </main>
      <output className="for-ears" aria-live="polite">
        {said}
      </output>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  )

  function emptyWords(): string {
    if (!known.isLoaded) return t('Loading…')
    return waiting > 0 ? t('Choose a request to answer it here.') : t('Nothing waits for you.')
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
                <p>{emptyWords()}</p>
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
            <Mishap key={route.id}>
              <RequestPage id={route.id} session={session} />
            </Mishap>
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
      case 'nowhere':
        return (
          <div className="page">
            <h1>{t('There is nothing here')}</h1>
            <p>
              <Link href={paths.inbox}>{t('Back to the inbox')}</Link>
            </p>
          </div>
        )
    }
  }
}

type Place = 'inbox' | 'runs' | 'history' | 'settings'

function Tab({ to, here, count = 0, children }: { to: Place; here: Route; count?: number; children: string }) {
  return (
    <Link href={paths[to]} aria-current={placeOf(here) === to ? 'page' : undefined}>
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

function placeOf({ page }: Route): Place | null {
  if (page === 'request') return 'inbox'
  if (page === 'run') return 'runs'
  return page === 'nowhere' ? null : page
}

function Connection({ phase }: { phase: 'loading' | 'live' | 'lost' }) {
  return (
    <output className={`connection ${phase}`}>
      {phase === 'lost' ? t('Connection lost, trying again…') : phase === 'loading' ? t('Loading…') : ''}
    </output>
  )
}
