import { setTimeout as sleep } from 'node:timers/promises'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'

const retryAfter = 2_000

/**
 * Reads the request again after each of its reminders, until the signal aborts. Never fails: a prompt works without
 * reminders, too.
 */
export async function followReminders(
  hub: HubApi,
  request: Request,
  signal: AbortSignal,
  onReminder: (request: Request) => void,
): Promise<void> {
  // Without a deadline there are no reminders.
  if (request.deadline === null) return
  let known = request.remindAt
  while (request.onTimeout === 'remind' && !signal.aborted) {
    try {
      // Also at the start: a reminder may have come since the request was read.
      for await (const event of hub.follow({ signal, onReady: () => void read() })) {
        if (event.type === 'request.reminded' && event.request === request.id) await read()
      }
    } catch {}
    await sleep(retryAfter, undefined, { signal, ref: false }).catch(() => {})
  }

  async function read() {
    const latest = await hub.get(request.id).catch(() => null)
    if (signal.aborted || latest?.remindAt === undefined || latest.remindAt === known) return
    known = latest.remindAt
    onReminder(latest)
  }
}
