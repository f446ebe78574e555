import type { PushKeys } from '../hub/sealing.ts'
import type { Parcel } from './delivery.ts'
import { type Message, titleIn, urgencyOf } from './message.ts'

interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

// A phone that was off for longer than a day looks into its inbox anyway.
const keptFor = 86_400

/**
 * Encrypted for that browser alone. The topic is the request: of messages that a service still holds, the newest is
 * delivered; and the page's worker shows one notification for each request.
 */
export async function packPush(
  { endpoint, keys }: Subscription,
  message: Message,
  { inbox, pushKeys }: { inbox: string; pushKeys: PushKeys },
): Promise<Parcel> {
  const { default: webPush } = await import('web-push')
  const { request } = message
  const payload = {
    id: request?.id ?? 'test',
    title: request ? `Beckon: ${request.kind}` : 'Beckon',
    body: titleIn(message),
    run: request?.run ?? null,
    url: message.url,
  }
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(payload), {
    vapidDetails: { subject: subjectOf(inbox), ...pushKeys },
    TTL: keptFor,
    urgency: urgencyOf(message),
    ...(request && request.id.length <= 32 ? { topic: request.id } : {}),
  })
  // It is known by what is sent, and must not be given twice.
  const { 'Content-Length': _, ...rest } = headers as Record<string, string | number>
  return {
    url: endpoint,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: body as Buffer,
  }
}

/** Whom the service may turn to. It wants an address, and has no use for one of this machine. */
function subjectOf(inbox: string): string {
  return inbox.startsWith('https:') ? inbox : 'mailto:push@beckon.invalid'
}
