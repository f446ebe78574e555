import { useEffect, useRef, useState } from 'react'
import type { Request } from '../../src/protocol/request.ts'
import { titleOf } from '../../src/rules/title.ts'
import type { Known } from './live.ts'
import { go, paths } from './router.tsx'
import { titleText } from './text/untrusted-text.tsx'
import { pendingOf } from './waiting.ts'
import { t } from './words/words.ts'

/**
 * Tells of each new request once: the icon, a notification of the browser where that is allowed, and the text that is
 * returned, for those who listen. What was there when the page was opened is not new.
 */
export function useNotices({ isLoaded, requests }: Known): string {
  const told = useRef<Set<string> | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const pending = pendingOf(requests)
    document.getElementById('favicon')?.setAttribute('href', `/assets/icon${pending.length > 0 ? '-waiting' : ''}.svg`)
    if (!isLoaded) return
    const fresh = told.current ? pending.filter(({ id }) => !told.current?.has(id)) : []
    told.current = new Set([...(told.current ?? []), ...pending.map(({ id }) => id)])
    const [first] = fresh
    if (first)
      setSaid(
        t('New request from {agent}: {title}', {
          agent: titleText(first.agent.name),
          title: titleText(titleOf(first), 120),
        }),
      )
    for (const request of fresh) void notify(request)
  }, [isLoaded, requests])
  useEffect(() => {
    // A click on a notification, told by the service worker.
    const open = ({ data }: MessageEvent) => {
      if (typeof data?.open === 'string' && data.open.startsWith('/')) go(data.open)
    }
    navigator.serviceWorker?.addEventListener('message', open)
    return () => navigator.serviceWorker?.removeEventListener('message', open)
  }, [])
  return said
}

const wish = 'beckon.notify'

export function wantsNotices(): boolean {
  return localStorage.getItem(wish) === 'yes' && 'Notification' in window && Notification.permission === 'granted'
}

/** Asks the browser, which asks the person. */
export async function allowNotices(wanted: boolean): Promise<boolean> {
  localStorage.setItem(wish, wanted ? 'yes' : 'no')
  if (wanted && 'Notification' in window && Notification.permission === 'default')
    await Notification.requestPermission()
  return wantsNotices()
}

// The same tag as a pushed message has: of the two, one is seen.
async function notify(request: Request): Promise<void> {
  if (!wantsNotices() || document.hasFocus()) return
  const title = `${titleText(request.agent.name, 60)}: ${titleText(titleOf(request), 120)}`
  const options = { tag: request.id, icon: '/assets/icon-192.png', data: { url: paths.request(request.id) } }
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  if (registration) return registration.showNotification(title, options).catch(() => {})
  const notice = new Notification(title, options)
  notice.onclick = () => {
    window.focus()
    go(paths.request(request.id))
  }
}
