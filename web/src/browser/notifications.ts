import { useEffect, useState } from 'react'
import type { Request } from '../../../src/protocol/request.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { getRequest } from '../api/requests.ts'
import { base } from '../base.ts'
import { paths } from '../route.ts'
import { go } from '../router.tsx'
import { serverTime } from '../server-time.ts'
import { onEvent } from '../state/hub-state.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { reminderText } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { throttle } from './throttle.ts'

/**
 * Announces each new request once, and each of its reminders: by a browser notification if the person allows them, and by
 * the text that this returns for screen readers. Only events tell: what was open before the page was is not new.
 */
export function useNotifications(): string {
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const created = new Set<string>()
    const reminded = new Set<string>()
    const announceSoon = throttle(
      () => {
        void announce([...created], newText).then(text => text && setAnnouncement(text))
        void announce([...reminded], remindedText).then(text => text && setAnnouncement(text))
        created.clear()
        reminded.clear()
      },
      () => betweenAnnouncements,
    )
    return onEvent(({ type, request }) => {
      if (request === null) return
      if (type === 'request.created') created.add(request)
      else if (type === 'request.reminded') reminded.add(request)
      else return
      announceSoon()
    })
  }, [])
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

const betweenAnnouncements = 1_000
/** More than this at once are only counted: nobody reads a flood of notifications. */
const mostAtOnce = 3

async function announce(ids: readonly string[], textOf: (request: Request) => string): Promise<string | null> {
  const read = await Promise.allSettled(ids.slice(-mostAtOnce).map(id => getRequest(id)))
  const pending = read
    .flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    .filter(({ status }) => status === 'pending')
  const last = pending.at(-1)
  if (!last) return null
  if (ids.length > mostAtOnce) {
    void notify(last)
    return t('{count} new requests', { count: ids.length })
  }
  for (const request of pending) void notify(request)
  return textOf(last)
}

function newText(request: Request): string {
  return t('New request from {agent}: {title}', {
    agent: titleText(request.agent.name),
    title: titleText(titleOf(request), 120),
  })
}

function remindedText(request: Request): string {
  return `${reminderText(request, serverTime())}: ${titleText(titleOf(request), 120)}`
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
  const options = { tag: request.id, icon: `${base}/assets/icon-192.png`, data: { url: paths.request(request.id) } }
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  if (registration) return registration.showNotification(title, options).catch(() => {})
  const notice = new Notification(title, options)
  notice.onclick = () => {
    window.focus()
    go(paths.request(request.id))
  }
}
