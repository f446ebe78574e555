import type { PushSubscriptionInput, TargetTest } from '../../../src/protocol/notify.ts'
import { base } from '../base.ts'
import { call } from './call.ts'
import { letWorkerAnswer, workerMayAnswer } from './page-secret.ts'

/** What this device wants to be pushed. */
export interface PushChoice {
  readonly urgentOnly: boolean
  /** Simple questions may be answered in the notification. */
  readonly quickAnswers: boolean
}

const levelKey = `beckon.push${base}`

/** Whether this browser can get messages while no page is open. It needs HTTPS, and on an iPhone an installed page. */
export function canPush(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window
}

export async function isPushed(): Promise<boolean> {
  return (await subscriptionHere()) !== null
}

export function pushChoice(): PushChoice {
  return { urgentOnly: localStorage.getItem(levelKey) === 'urgent', quickAnswers: workerMayAnswer() }
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
  await send(subscription, pushChoice())
}

/** The hub forgets a browser with the session that subscribed it: whoever signs in again still gets messages. */
export async function renewPush(): Promise<void> {
  const subscription = await subscriptionHere()
  if (subscription) await send(subscription, pushChoice())
}

/** Stored once the hub has it, so that both say the same. */
export async function choosePush(choice: PushChoice): Promise<void> {
  const subscription = await subscriptionHere()
  if (subscription) await send(subscription, choice)
  await letWorkerAnswer(choice.quickAnswers)
  localStorage.setItem(levelKey, choice.urgentOnly ? 'urgent' : 'everything')
}

/** Sends one message to this device; null if it gets none. */
export async function testPush(): Promise<TargetTest | null> {
  const subscription = await subscriptionHere()
  return subscription && call('push.test', [subscription.endpoint])
}

export async function stopPush(): Promise<void> {
  const subscription = await subscriptionHere()
  if (!subscription) return
  await call('push.unsubscribe', [subscription.endpoint])
  await subscription.unsubscribe()
}

async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!canPush()) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function send(subscription: PushSubscription, choice: PushChoice): Promise<void> {
  await call('push.subscribe', [{ ...(subscription.toJSON() as PushSubscriptionInput), ...choice }])
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}
