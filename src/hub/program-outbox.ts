import type { ProgramEvent, Request, Run } from '../protocol/index.ts'
import { outboxLock } from '../store/locks.ts'
import type { MessageRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { openCallback } from './callbacks.ts'
import { type MachineOccasion, readOccasion } from './machine-occasion.ts'
import type { OpenTarget, Sealing } from './sealing.ts'
import { toRequest, toRun } from './to-protocol.ts'

// What is sent to programs: an event to a webhook that chose it, or the call to an asker. Unlike a message to people, it is
// sent whatever has happened to the request since, at any hour, and never changed afterwards.

/** An event that the caller may send until its lease ends. */
export interface LeasedEvent {
  id: string
  event: ProgramEvent
  /** The number of the event; null for a callback. */
  number: number | null
  /** When the event happened. */
  at: string
  about: Request | Run
  target: OpenTarget
  /** How many attempts there were, including this one. */
  tries: number
  /** Milliseconds since it was first due. */
  age: number
  lease: number
}

// Longer than any call takes.
const leaseDuration = 60_000

/** Null where another sender has it, or its subject was deleted. */
export async function takeEventLease(
  tx: Transaction,
  seen: MessageRecord,
  { event, number }: MachineOccasion,
  target: OpenTarget,
): Promise<LeasedEvent | null> {
  const about = await subjectOf(tx, seen.subject)
  const now = await tx.now()
  if (about === null) {
    await cancelOne(tx, seen, now)
    return null
  }
  const leased = await tx.leaseMessage(seen.id, seen.due, now + leaseDuration)
  if (!leased) return null
  const { id, at, tries, due, createdAt } = leased
  return { id, event, number, at: new Date(at).toISOString(), about, target, tries, age: now - createdAt, lease: due }
}

type LeaseOne = (
  seen: MessageRecord,
  take: (tx: Transaction) => Promise<LeasedEvent | null>,
) => Promise<LeasedEvent | null>

/** Leases due calls to the askers at one host; cancels those of tokens that were revoked. */
export async function leaseCallbacks(
  { store, sealing, leaseOne }: { store: Store; sealing: Sealing; leaseOne: LeaseOne },
  target: string,
  limit: number,
): Promise<LeasedEvent[]> {
  const due = await store.read(async view => view.dueMessages(target, await view.now(), limit))
  if (due.length === 0) return []
  const sealer = await store.read(view => sealing.sealer(view))
  const leased = await Promise.all(
    due.map(async message => {
      const occasion = readOccasion(message.occasion)
      if (!occasion?.mark) return null
      const { mark } = occasion
      const opened = await store.read(view => openCallback(view, sealer, message.subject, mark))
      if (opened) return leaseOne(message, tx => takeEventLease(tx, message, occasion, opened))
      await store.change(async tx => cancelOne(tx, message, await tx.now()), outboxLock)
      return null
    }),
  )
  return leased.filter(message => message !== null)
}

async function subjectOf(tx: Transaction, subject: string): Promise<Request | Run | null> {
  const request = await tx.request(subject)
  if (request) return toRequest(request)
  const run = await tx.run(subject)
  return run && toRun(run, [])
}

async function cancelOne(tx: Transaction, message: MessageRecord, at: number): Promise<void> {
  await tx.finishMessage({ ...message, state: 'cancelled', doneAt: at }, message.due)
}
