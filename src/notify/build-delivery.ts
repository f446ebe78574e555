import type { LeasedMessage } from '../hub/outbox.ts'
import type { OpenTarget, PushKeys } from '../hub/sealing.ts'
import type { Delivery } from './delivery.ts'
import type { Message } from './message.ts'
import { buildNtfy } from './ntfy.ts'
import { buildPush } from './push.ts'
import { buildSlack } from './slack.ts'
import { buildWebhook } from './webhook.ts'

interface BuildOptions {
  /** The address of the inbox. */
  inbox: string
  now: () => number
  pushKeys: () => Promise<PushKeys>
  /** What the message is about; nothing for a test. */
  about?: LeasedMessage['about']
}

export async function buildDelivery(target: OpenTarget, message: Message, options: BuildOptions): Promise<Delivery> {
  const { about } = options
  switch (target.kind) {
    case 'webhook':
      return buildWebhook(target, message, options.now())
    case 'ntfy':
      return buildNtfy(target, message)
    case 'slack':
      return buildSlack(target, message)
    case 'push':
      return buildPush(target, message, {
        ...(about ? { about } : {}),
        inbox: options.inbox,
        pushKeys: await options.pushKeys(),
      })
  }
}
