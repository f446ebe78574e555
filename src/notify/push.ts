import type { LeasedMessage } from '../hub/outbox.ts'
import type { PushKeys } from '../hub/sealing.ts'
import type { Delivery } from './delivery.ts'
import { headingOf, type Message, titleIn, urgencyOf } from './message.ts'
import { quickAnswers } from './quick-answers.ts'

interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
  quickAnswers?: boolean
}

interface PushOptions {
  inbox: string
  pushKeys: PushKeys
  about?: LeasedMessage['about']
}

// Seconds. A notification that is more than a day old is of no use.
const timeToLive = 86_400

/**
 * Encrypted for one browser. The topic is the request or the run, so that the push service delivers only the newest of
 * the messages it still holds, and the page's worker shows one notification for each.
 */
export async function buildPush(
  { endpoint, keys, quickAnswers: isAllowed = false }: Subscription,
  message: Message,
  { inbox, pushKeys, about }: PushOptions,
): Promise<Delivery> {
  const { default: webPush } = await import('web-push')
  const heading = headingOf(message)
  const id = message.request?.id ?? message.run?.id ?? 'test'
  const payload = {
    id,
    title: heading ? `Beckon: ${heading}` : 'Beckon',
    body: titleIn(message),
    run: message.request?.run ?? message.run?.id ?? null,
    url: message.url,
    ...(isAllowed && about ? quickAnswers(about) : {}),
  }
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(payload), {
    vapidDetails: { subject: contactOf(inbox), ...pushKeys },
    TTL: timeToLive,
    urgency: urgencyOf(message),
    ...(heading && id.length <= 32 ? { topic: id } : {}),
  })
  // fetch sets this header from the body.
  const { 'Content-Length': _, ...rest } = headers as Record<string, string | number>
  return {
    url: endpoint,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: body as Buffer,
  }
}

/** The contact that push services require. An address of this machine would be of no use to them. */
function contactOf(inbox: string): string {
  return inbox.startsWith('https:') ? inbox : 'mailto:push@beckon.invalid'
}
