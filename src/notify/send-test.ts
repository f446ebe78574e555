import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { OpenTarget, PushKeys } from '../hub/sealing.ts'
import type { TargetTest } from '../protocol/index.ts'
import type { Fetch } from './channel.ts'
import { factLine } from './facts.ts'
import { linkText } from './link.ts'
import { testMessage } from './message.ts'
import { openChannel } from './open-channel.ts'
import { short } from './title.ts'

interface Options {
  url: string
  pushKeys: PushKeys | null
  timeZone?: string | undefined
  fetch?: Fetch
}

const longestReply = 300

/** Sends a test message once, without retries, and says what was sent and what came back. */
export async function sendTest(
  target: OpenTarget,
  { url, pushKeys, timeZone, fetch }: Options,
): Promise<Omit<TargetTest, 'warning'>> {
  const message = testMessage(`test_${randomUUID()}`, Date.now(), { inbox: url, host: hostname(), timeZone })
  const channel = openChannel(target, { inbox: url, now: Date.now, pushKeys: async () => pushKeys as PushKeys, fetch })
  const { result, finding, reply } = await channel.send(message)
  return {
    delivered: result === 'delivered',
    finding,
    sent: [message.title, factLine(message.facts), linkText(message.link)].join('\n'),
    // A browser names its own push service, and must not read through us what an address of its choice replies.
    reply: target.kind === 'push' ? '' : short(reply, longestReply),
  }
}
