import type { Channel, ChannelOptions } from './channel.ts'
import { factLine } from './facts.ts'
import { headline, type Message } from './message.ts'
import { type Delivery, post } from './post.ts'
import { quickAnswers } from './quick-answers.ts'

interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
  quickAnswers?: boolean
}

// Seconds. A notification that is more than a day old is of no use.
const timeToLive = 86_400

/**
 * Encrypted for one browser. The topic is the request or the run, so that the push service delivers only the newest of
 * the messages it still holds, and the page's worker shows one notification for each.
 */
export function openPush(subscription: Subscription, options: ChannelOptions): Channel {
  return { send: async message => post(await buildPush(subscription, message, options), options.fetch) }
}

async function buildPush(
  { endpoint, keys, quickAnswers: isAllowed = false }: Subscription,
  message: Message,
  { inbox, pushKeys }: ChannelOptions,
): Promise<Delivery> {
  const { webPush } = await import('./web-push.ts')
  const { heading, subject, about, link, urgency, facts, settlement } = message
  const payload = {
    id: subject,
    title: heading ? `Beckon: ${heading}` : 'Beckon',
    body: [headline(message), ...(settlement === null && facts.length > 0 ? [factLine(facts)] : [])].join('\n'),
    run: about && 'kind' in about ? about.run : (about?.id ?? null),
    url: link.url,
    ...(settlement === null ? {} : { settled: true }),
    ...(isAllowed && about ? quickAnswers(about) : {}),
  }
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(payload), {
    vapidDetails: { subject: contactOf(inbox), ...(await pushKeys()) },
    TTL: timeToLive,
    urgency,
    ...(heading && subject.length <= 32 ? { topic: subject } : {}),
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
