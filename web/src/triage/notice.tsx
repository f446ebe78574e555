import { useEffect, useSyncExternalStore } from 'react'
import { t } from '../words/translate.ts'
import './notice.css'

interface Told {
  readonly text: string
  readonly undo: (() => void) | null
}

const staysFor = 8_000

let told: Told | null = null
const subscribers = new Set<() => void>()

/** Says below the list what was just done, for a while; with a way back, where there is one. */
export function tell(text: string, undo: (() => void) | null = null): void {
  set({ text, undo })
}

export function Notice() {
  const notice = useSyncExternalStore(subscribe, () => told)
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
            <button type="button" onClick={() => back(notice)}>
              {t('Undo')}
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
