import { BeckonError, type HubApi, invalid, type Request, type SnoozeInput, snoozeSchema } from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { requestLock } from '../store/locks.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { soonMs } from './inbox.ts'
import { notFound } from './not-found.ts'
import { toRequest } from './to-protocol.ts'

const critical = 4

/** Hides a request from one person's inbox for a while. It decides nothing, and moves no deadline. */
export function createSnooze({ store, caller }: { store: Store; caller: Caller }): Pick<HubApi, 'snooze'> {
  return { snooze }

  async function snooze(id: string, input: SnoozeInput): Promise<Request> {
    const given = parse(snoozeSchema, input).until
    const until = given === null ? null : Date.parse(given)
    return store.change(async tx => {
      const record = await tx.request(id)
      if (!record) throw notFound('request', id)
      if (until !== null) refuse(record, until, await tx.now())
      await tx.snooze(id, caller.user, until)
      // Other pages of the same person follow it; agents do not see it.
      tx.append({ type: 'request.snoozed', request: id, run: record.run, data: { by: caller.user, until: given } })
      return toRequest(record)
    }, requestLock(id))
  }
}

function refuse({ id, status, danger, deadline, onTimeout }: RequestRecord, until: number, now: number): void {
  if (until <= now) throw invalid([{ path: 'until', message: 'must be in the future' }])
  if (status !== 'pending') throw new BeckonError('not_allowed', `${id} is settled (${status}) and waits for nobody.`)
  if (danger >= critical) {
    throw new BeckonError('not_allowed', `${id} is critical, so it stays in the inbox. Answer or decline it.`)
  }
  if (deadline !== null && onTimeout !== 'remind' && deadline < now + soonMs) {
    const minutes = Math.max(1, Math.round((deadline - now) / 60_000))
    const message = `The deadline of ${id} decides it in ${minutes} min, so it stays in the inbox.`
    throw new BeckonError('not_allowed', message)
  }
}
