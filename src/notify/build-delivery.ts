import type { OpenTarget, PushKeys } from '../hub/sealing.ts'
import type { Parcel } from './delivery.ts'
import type { Message } from './message.ts'
import { packNtfy } from './ntfy.ts'
import { packPush } from './push.ts'
import { packSlack } from './slack.ts'
import { packWebhook } from './webhook.ts'

interface Packing {
  /** Where the inbox is. */
  inbox: string
  now: () => number
  pushKeys: () => Promise<PushKeys>
}

export async function pack(target: OpenTarget, message: Message, packing: Packing): Promise<Parcel> {
  switch (target.kind) {
    case 'webhook':
      return packWebhook(target, message, packing.now())
    case 'ntfy':
      return packNtfy(target, message)
    case 'slack':
      return packSlack(target, message)
    case 'push':
      return packPush(target, message, { inbox: packing.inbox, pushKeys: await packing.pushKeys() })
  }
}
