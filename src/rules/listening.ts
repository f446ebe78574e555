import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { AskOptions, HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'

type Listening = Pick<HubApi, 'wait' | 'messages'>

/** Says that the asker can be asked back, where it listens. */
export function withCanReply(input: AskInput, { onMessage }: AskOptions): AskInput {
  return onMessage ? { ...input, canReply: true } : input
}

/**
 * Waits until the request is settled, and hands over what people write meanwhile. A message counts as taken once the
 * handler is done with it: after a crash before that, the next asker gets it again, with the same id.
 */
export async function waitAndListen(
  { wait, messages }: Listening,
  id: string,
  { signal, onMessage }: AskOptions,
): Promise<Request> {
  const limit = signal ? { signal } : {}
  if (!onMessage) return wait(id, limit)
  for (;;) {
    const request = await wait(id, { ...limit, orMessage: true })
    if (request.status !== 'pending') return request
    for (const message of await messages.unheard(id)) {
      const settled = await firstOf(async () => onMessage(message, reply))
      if (settled) return settled
      await messages.confirm(id, message.id)
    }
  }

  async function reply(text: string): Promise<void> {
    await messages.send(id, { text, as: 'agent' }).catch(ignoreSettled)
  }

  /** The answer does not wait for a handler that still thinks about a message. */
  async function firstOf(handle: () => Promise<unknown>): Promise<Request | null> {
    const handled = new AbortController()
    const over = signal ? AbortSignal.any([signal, handled.signal]) : handled.signal
    const settled = wait(id, { signal: over })
    settled.catch(() => {})
    const done = handle().then(() => null)
    done.catch(() => {})
    try {
      return await Promise.race([settled, done])
    } finally {
      handled.abort()
    }
  }
}

function ignoreSettled(error: unknown): void {
  if (!(error instanceof BeckonError) || error.code !== 'settled_otherwise') throw error
}
