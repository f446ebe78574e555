import { setTimeout as sleep } from 'node:timers/promises'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'

const retryAfter = 2_000

/**
 * Reads the request again after each of its reminders and messages, until the signal aborts. Never fails: a prompt works
 * without them, too.
 */
export async function followRequest(
  hub: HubApi,
  request: Request,
  signal: AbortSignal,
  onChange: (request: Request) => void,
): Promise<void> {
  // Without a deadline there are no reminders, and an agent that hears nothing says nothing.
  const isReminded = request.deadline !== null && request.onTimeout === 'remind'
  if (!isReminded && !request.canReply && request.messages.length === 0) return
  let known = stateOf(request)
  while (!signal.aborted) {
    try {
      // Also at the start: something may have come since the request was read.
      for await (const event of hub.follow({ signal, onReady: () => void read() })) {
        if (event.request === request.id && changes.includes(event.type)) await read()
      }
    } catch {}
    await sleep(retryAfter, undefined, { signal, ref: false }).catch(() => {})
  }

  async function read() {
    const latest = await hub.get(request.id).catch(() => null)
    if (signal.aborted || latest === null || stateOf(latest) === known) return
    known = stateOf(latest)
    onChange(latest)
  }
}

const changes: readonly string[] = ['request.reminded', 'request.message']

function stateOf({ remindAt = null, messages }: Request): string {
  return JSON.stringify([remindAt, messages.length])
}
