import type { Request, Run } from '../protocol/index.ts'
import type { MessageRecord, TargetRecord } from '../store/records.ts'
import type { Transaction } from '../store/store.ts'
import type { OpenTarget } from './sealing.ts'
import { quietUntil } from './target-wants.ts'
import { toRequest, toRun } from './to-protocol.ts'

// What is sent to people: only what they should still hear of, not in their quiet hours, and changed once it is settled.

/** A message that the caller may send until its lease ends. */
export interface LeasedMessage {
  id: string
  event: 'request.created' | 'request.reminded' | 'request.settled' | 'run.failed'
  /** When the event happened. */
  at: string
  about: Request | Run
  target: OpenTarget
  /** Of the messages about it that the target has: what a channel needs to change them. */
  handles: string[]
  /** Of the target's reader, where it is known. */
  timeZone?: string | undefined
  /** How many attempts there were, including this one. */
  tries: number
  /** Milliseconds since it was first due. */
  age: number
  /** When it was leased, by the database's clock. */
  leasedAt: string
  lease: number
}

// Longer than any call to a target takes.
const leaseDuration = 60_000

/** Null where another sender has it, it has to wait, or nobody need hear of it any more. */
export async function takeLease(
  tx: Transaction,
  seen: MessageRecord,
  record: TargetRecord,
  target: OpenTarget,
): Promise<LeasedMessage | null> {
  const about = await subjectOf(tx, seen)
  const now = await tx.now()
  if (about === null) {
    await tx.cancelMessages(seen.subject, now)
    await tx.finishMessage({ ...seen, state: 'cancelled', doneAt: now }, seen.due)
    return null
  }
  const told = (await tx.toldMessages(seen.subject)).filter(message => message.target === seen.target)
  const handles = [...new Set(told.flatMap(({ handle }) => handle ?? []))]
  const isSettled = eventOf(seen) === 'request.settled'
  // What was being sent has failed: the target never heard of it.
  if (isSettled && told.length === 0) {
    await tx.finishMessage({ ...seen, state: 'cancelled', doneAt: now }, seen.due)
    return null
  }
  const beingSent = told.filter(({ id, state, due }) => id !== seen.id && state === 'waiting' && due > now)
  const request = 'kind' in about ? await tx.request(about.id) : null
  // A message that is only changed disturbs nobody.
  const quietEnd = isSettled && handles.length > 0 ? null : quietUntil(record, request, now)
  const later = isSettled ? Math.max(0, ...beingSent.map(({ due }) => due), quietEnd ?? 0) : quietEnd
  if (later) {
    await tx.postponeMessage(seen.id, seen.due, later)
    return null
  }
  const leased = await tx.leaseMessage(seen.id, seen.due, now + leaseDuration)
  return (
    leased && {
      id: leased.id,
      event: eventOf(leased),
      at: new Date(leased.at).toISOString(),
      about,
      target,
      handles,
      timeZone: record.wants.timeZone,
      tries: leased.tries,
      age: now - leased.createdAt,
      leasedAt: new Date(now).toISOString(),
      lease: leased.due,
    }
  )
}

/** What a message is about, while people should hear of it. */
async function subjectOf(tx: Transaction, message: MessageRecord): Promise<Request | Run | null> {
  if (eventOf(message) === 'run.failed') {
    const run = await tx.run(message.subject)
    return run?.status === 'failed' ? toRun(run, []) : null
  }
  const request = await tx.request(message.subject)
  const isTold = (request?.status === 'pending') === (eventOf(message) !== 'request.settled')
  return request && isTold ? toRequest(request) : null
}

function eventOf({ occasion }: MessageRecord): LeasedMessage['event'] {
  if (occasion.startsWith('failed')) return 'run.failed'
  if (occasion === 'settled') return 'request.settled'
  return occasion === 'created' ? 'request.created' : 'request.reminded'
}
