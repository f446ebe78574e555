import { useEffect, useSyncExternalStore } from 'react'
import { useShortcuts } from '../browser/shortcuts.ts'
import { undoDelay, useOutbox } from '../outbox/outbox.ts'
import { t } from '../words/translate.ts'
import './notice.css'

interface Told {
  readonly text: string
  readonly at: number
  readonly undo: (() => void) | null
}

const staysFor = 8_000

let told: Told | null = null
const subscribers = new Set<() => void>()

/** Says below the list what was just done, for a while; with a way back, where there is one. */
export function tell(text: string, undo: (() => void) | null = null): void {
  set({ text, undo, at: Date.now() })
}

/** The key of a verb was pressed before the person could see what it would decide. */
export function tellStillLoading(key: string): void {
  tell(t('Still loading. Press {key} again.', { key: key.toUpperCase() }))
}

export function Notice() {
  const notice = useSyncExternalStore(subscribe, () => told)
  const outbox = useOutbox()
  // U undoes what was done last.
  const isLast = notice?.undo && !outbox.some(({ sendAt }) => sendAt - undoDelay > notice.at)
  useShortcuts(isLast ? { u: () => back(notice) } : {})
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => told === notice && set(null), staysFor)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div className="list-notice" role="status">
      {notice && (
        <p>
          <span>{notice.text}</span>
          {notice.undo && (
            <button type="button" aria-keyshortcuts={isLast ? 'u' : undefined} onClick={() => back(notice)}>
              {t('Undo')}{' '}
              {isLast && (
                <span className="key" aria-hidden="true">
                  U
                </span>
              )}
            </button>
          )}
        </p>
      )}
    </div>
  )
}

function back({ undo }: Told): void {
  set(null)
  undo?.()
}

function set(next: Told | null): void {
  told = next
  for (const notify of subscribers) notify()
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}
