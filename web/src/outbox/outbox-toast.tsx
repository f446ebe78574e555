import { useEffect, useState } from 'react'
import { useShortcuts } from '../browser/shortcuts.ts'
import { paths } from '../route.ts'
import { go, useRoute } from '../router.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { requestTitle } from '../words/request-title.ts'
import { t } from '../words/translate.ts'
import { type Outgoing, undo, undoDelay, useOutbox } from './outbox.ts'
import './outbox.css'

/** What was decided a moment ago, how long it can be undone, and what did not reach the hub. */
export function OutboxToast() {
  const outbox = useOutbox()
  const route = useRoute()
  const open = route.page === 'request' ? route.id : null
  const waiting = outbox.filter(({ state }) => state === 'waiting')
  const newest = waiting.at(-1)
  useUndoKeys(newest)
  // The request that is open says so itself.
  const shown = newest && newest.request.id !== open ? [newest] : []
  const told = outbox.filter(({ state, request }) => (state === 'lost' || state === 'failed') && request.id !== open)
  return (
    <div className="toasts" role="status">
      {told.map(item => (
        <Failure key={item.request.id} item={item} />
      ))}
      {shown.map(item => (
        <div className="toast" key={item.request.id}>
          <span className="toast-text">
            <b>
              <UntrustedTitle text={item.says} longest={60} />
            </b>{' '}
            <span className="toast-title">
              <UntrustedTitle text={requestTitle(item.request)} longest={60} />
            </span>
          </span>
          <Countdown sendAt={item.sendAt} />
          <button type="button" aria-keyshortcuts="u" onClick={() => reopen(item)}>
            {t('Undo')}{' '}
            <span className="key" aria-hidden="true">
              U
            </span>
          </button>
        </div>
      ))}
    </div>
  )
}

function Failure({ item }: { item: Outgoing }) {
  return (
    <div className="toast toast-failure" role="alert">
      <span className="toast-text">
        <b>{item.state === 'lost' ? t('Someone else answered first.') : t('Not sent.')}</b>{' '}
        <span className="toast-title">
          <UntrustedTitle text={item.why ?? requestTitle(item.request)} longest={160} />
        </span>
      </span>
      <button type="button" onClick={() => reopen(item)}>
        {t('Open')}
        <span className="visually-hidden"> {titleText(requestTitle(item.request), 80)}</span>
      </button>
    </div>
  )
}

/** The seconds that are left, as a number and as a ring. */
export function Countdown({ sendAt }: { sendAt: number }) {
  const [left, setLeft] = useState(() => secondsUntil(sendAt))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(sendAt)), 200)
    return () => clearInterval(timer)
  }, [sendAt])
  return (
    <span className="countdown" aria-hidden="true" style={{ '--left': left / (undoDelay / 1_000) } as object}>
      {left}
    </span>
  )
}

function secondsUntil(sendAt: number): number {
  return Math.max(0, Math.ceil((sendAt - Date.now()) / 1_000))
}

/** U, or what undoes everywhere else. In a text field both belong to the text. */
function useUndoKeys(newest: Outgoing | undefined): void {
  useShortcuts(newest ? { u: () => reopen(newest) } : {})
  useEffect(() => {
    if (!newest) return
    const press = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      const isText = event.target instanceof Element && event.target.matches('textarea, input, [contenteditable]')
      if (!isUndo || isText) return
      event.preventDefault()
      reopen(newest)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [newest])
}

function reopen({ request: { id } }: Outgoing): void {
  if (undo(id)) go(paths.request(id))
}
