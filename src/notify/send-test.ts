import { randomUUID } from 'node:crypto'
import type { OpenTarget, PushKeys } from '../hub/sealing.ts'
import type { TargetTest } from '../protocol/index.ts'
import { buildDelivery } from './build-delivery.ts'
import type { Message } from './message.ts'
import { type Fetch, post } from './post.ts'

interface Options {
  url: string
  pushKeys: PushKeys | null
  fetch?: Fetch
}

/** Sends a test message once, without retries. */
export async function sendTest(target: OpenTarget, { url, pushKeys, fetch }: Options): Promise<TargetTest> {
  const message: Message = {
    event: 'test',
    id: `test_${randomUUID()}`,
    at: new Date().toISOString(),
    request: null,
    url,
  }
  const keys = async () => pushKeys as PushKeys
  const delivery = await buildDelivery(target, message, { inbox: url, now: Date.now, pushKeys: keys })
  const { result, finding } = await post(delivery, fetch)
  return { delivered: result === 'delivered', finding }
}
