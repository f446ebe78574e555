import { startTransition, useEffect, useRef, useState } from 'react'
import type { Session } from '../api/session.ts'
import { useSideBySide } from '../browser/media.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { Mark } from '../components/icons.tsx'
import { RequestPage } from '../pages/request.tsx'
import { go } from '../router.tsx'
import { useInbox } from '../state/inbox.ts'
import { nextWaiting } from '../state/next.ts'
import { useView } from '../state/use-view.ts'
import { requestPath } from '../state/view.ts'
import { CommandText } from '../text/command-text.tsx'
import { t } from '../words/translate.ts'
import { PaneSkeleton } from './pane-skeleton.tsx'
import './request-pane.css'

/** The request that is open. Where there is room for it beside the list, the first one opens by itself. */
export function RequestPane({ open, session }: { open: string | null; session: Session }) {
  const { rows, counts, isLoaded } = useInbox()
  const isSideBySide = useSideBySide()
  const view = useView()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows decide which is the first
  useEffect(() => {
    // Not under the hands of a person who is typing what to find.
    if (open !== null || !isSideBySide || document.activeElement?.matches('.inbox input')) return
    const first = nextWaiting(null)
    if (first !== null) go(requestPath(first, view), { replace: true })
  }, [open, isSideBySide, rows, view])
  const shown = useRested(open)
  if (open === null) {
    if (!isLoaded) return <PaneSkeleton />
    return <NothingOpen isEmpty={counts.waiting === 0} />
  }
  // The old request goes at once, with its keys.
  if (shown !== open) return <PaneSkeleton row={rows.find(({ id }) => id === open)} />
  return (
    <ErrorBoundary key={open}>
      <RequestPage id={open} session={session} />
    </ErrorBoundary>
  )
}

/** Faster than this, a person goes through the list without reading. */
const rest = 120

/** What is open, a moment later while one after the other is opened: reading and drawing each would hold up the keys. */
function useRested(open: string | null): string | null {
  const [rested, setRested] = useState(open)
  const changed = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const isHurried = performance.now() - changed.current < rest
    if (open !== null) changed.current = performance.now()
    const show = () => startTransition(() => setRested(open))
    if (!isHurried) return show()
    const timer = setTimeout(show, rest)
    return () => clearTimeout(timer)
  }, [open])
  return rested
}

function NothingOpen({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div className={`pane-empty ${isEmpty ? '' : 'pane-unchosen'}`}>
      <div>
        <Mark size={40} />
        {isEmpty ? (
          <>
            <h2>{t('Nothing waits')}</h2>
            <p>{t('Requests from your agents appear here. Try it in a terminal:')}</p>
            <pre>
              <code>
                <CommandText text={'npx beckon ask "Ship it?" --option yes --option no'} />
              </code>
            </pre>
          </>
        ) : (
          <p>{t('Select a request to answer it here.')}</p>
        )}
      </div>
    </div>
  )
}
