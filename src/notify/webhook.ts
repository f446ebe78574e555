import { createHmac } from 'node:crypto'
import type { Delivery } from './delivery.ts'
import type { Message } from './message.ts'

/** JSON with a signature that covers the time, so that a captured message cannot be replayed much later. */
export function buildWebhook(target: { url: string; secret: string | null }, message: Message, now: number): Delivery {
  const body = JSON.stringify(message)
  const time = Math.floor(now / 1_000)
  const signature = target.secret
    ? { 'x-beckon-signature': `t=${time},v1=${sign(target.secret, `${time}.${body}`)}` }
    : {}
  return {
    url: target.url,
    headers: {
      'content-type': 'application/json',
      'x-beckon-event': message.event,
      'x-beckon-delivery': message.id,
      'idempotency-key': message.id,
      ...signature,
    },
    body,
  }
}

function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
