import { ListSkeleton } from '../list/list-skeleton.tsx'
import { parsePath } from '../route.ts'
import { t } from '../words/translate.ts'
import { PaneSkeleton } from './pane-skeleton.tsx'
import './app-frame.css'

/** The shape of the page until it is known who is signed in, and while the server is away. */
export function FrameSkeleton({ isAway }: { isAway: boolean }) {
  const { page } = parsePath(location.pathname)
  return (
    <div className="app-frame" data-page={page} aria-busy={!isAway}>
      <div className="rail" />
      <main className="frame-main">
        {isAway && (
          <div className="frame-away" role="alert">
            <h1>{t('You are offline')}</h1>
            <p>{t('The server cannot be reached. This page goes on by itself when it is back.')}</p>
          </div>
        )}
        {!isAway && (page === 'inbox' || page === 'request') && (
          <div className={`panes ${page === 'request' ? 'with-request' : ''}`}>
            <section className="inbox">
              <ListSkeleton />
            </section>
            <PaneSkeleton />
          </div>
        )}
      </main>
    </div>
  )
}
