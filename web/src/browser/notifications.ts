import { useEffect, useRef, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { go, paths } from '../router.tsx'
import { serverTime } from '../server-time.ts'
import type { HubState } from '../state/hub-state.ts'
import { pendingRequests } from '../state/inbox-order.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { reminderText } from '../words/times.ts'
import { t } from '../words/translate.ts'

/**
 * Announces each new request once, and each of its reminders: by the icon, by a browser notification if the person allows them, and by the text
 * that this returns for screen readers. Requests that were open before the page was are not new.
 */
export function useNotifications({ isLoaded, requests }: HubState): string {
  const announced = useRef<Map<string, Request['remindAt']> | null>(null)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const pending = pendingRequests(requests)
    document.getElementById('favicon')?.setAttribute('href', `/assets/icon${pending.length > 0 ? '-waiting' : ''}.svg`)
    if (!isLoaded) return
    const before = announced.current
    announced.current = new Map([...(before ?? []), ...pending.map(({ id, remindAt }) => [id, remindAt] as const)])
    if (!before) return
    const fresh = pending.filter(({ id }) => !before.has(id))
    const reminded = pending.filter(
      ({ id, remindAt }) => before.has(id) && before.get(id) !== remindAt && remindAt !== undefined,
    )
    const [first] = fresh
    const [overdue] = reminded
    if (overdue) setAnnouncement(`${reminderText(overdue, serverTime())}: ${titleText(titleOf(overdue), 120)}`)
    if (first)
      setAnnouncement(
        t('New request from {agent}: {title}', {
          agent: titleText(first.agent.name),
          title: titleText(titleOf(first), 120),
        }),
      )
    for (const request of [...fresh, ...reminded]) void notify(request)
  }, [isLoaded, requests])
  useEffect(() => {
    // The service worker sends this when the person clicks a notification.
    const open = ({ data }: MessageEvent) => {
      if (typeof data?.open === 'string' && data.open.startsWith('/')) go(data.open)
    }
    navigator.serviceWorker?.addEventListener('message', open)
    return () => navigator.serviceWorker?.removeEventListener('message', open)
  }, [])
  return announcement
}

const storageKey = 'beckon.notify'

export function notificationsEnabled(): boolean {
  return localStorage.getItem(storageKey) === 'yes' && 'Notification' in window && Notification.permission === 'granted'
}

/** Stores the choice and, if need be, lets the browser ask the person for permission. */
export async function enableNotifications(wanted: boolean): Promise<boolean> {
  localStorage.setItem(storageKey, wanted ? 'yes' : 'no')
  if (wanted && 'Notification' in window && Notification.permission === 'default')
    await Notification.requestPermission()
  return notificationsEnabled()
}

// A pushed message has the same tag, so only one of the two is shown.
async function notify(request: Request): Promise<void> {
  if (!notificationsEnabled() || document.hasFocus()) return
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
