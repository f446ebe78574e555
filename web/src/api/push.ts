import type { PushSubscriptionInput } from '../../../src/protocol/notify.ts'
import { call } from './call.ts'

/** Whether this browser can get messages while no page is open. It needs HTTPS, and on an iPhone an installed page. */
export function canPush(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window
}

export async function isPushed(): Promise<boolean> {
  if (!canPush()) return false
  const registration = await navigator.serviceWorker.getRegistration()
  return Boolean(await registration?.pushManager.getSubscription())
}

/** The browser, or its push service, gave no address to push to. */
export class NoPushAddress extends Error {}

export async function startPush(): Promise<void> {
  const key = await call('push.key', [])
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })
    .catch(error => {
      throw new NoPushAddress((error as Error).message)
    })
  await call('push.subscribe', [subscription.toJSON() as PushSubscriptionInput])
}

/** The hub forgets a browser with the session that subscribed it: whoever signs in again still gets messages. */
export async function renewPush(): Promise<void> {
  if (!canPush()) return
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription) await call('push.subscribe', [subscription.toJSON() as PushSubscriptionInput])
}

export async function stopPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return
  await call('push.unsubscribe', [subscription.endpoint])
  await subscription.unsubscribe()
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}
