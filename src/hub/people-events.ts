import { settlingEvents } from '../protocol/index.ts'
import type { EventRecord, TargetRecord } from '../store/records.ts'
import type { Transaction } from '../store/store.ts'
import { dueTime, dueTimeOfRun, wantsReminder } from './target-wants.ts'
import { writeMessage } from './write-message.ts'

// What people hear of: new requests and reminders while they are open, that a request is settled, and failed runs.

/** Writes a message to every person who should hear of this event; returns how many. */
export async function writeForPeople(
  tx: Transaction,
  event: EventRecord,
  targets: readonly TargetRecord[],
): Promise<number> {
  if (event.run !== null && runEvents.has(event.type)) return writeForRun(tx, event, event.run, targets)
  if (event.request === null) return 0
  if (settlingEvents.has(event.type)) return writeSettled(tx, event, event.request, targets)
  const occasion = occasionOf(event)
  if (occasion === null) return 0
  const request = await tx.request(event.request)
  if (request?.status !== 'pending') return 0
  let written = 0
  for (const target of targets.filter(target => target.createdAt <= event.at)) {
    if (occasion !== 'created' && !wantsReminder(target, request, event.at)) continue
    const due = dueTime(target, request)
    if (due !== null)
      written += Number(await writeMessage(tx, { subject: request.id, target: target.id, occasion, at: event.at, due }))
  }
  return written
}

async function writeSettled(
  tx: Transaction,
  { at }: EventRecord,
  subject: string,
  targets: readonly TargetRecord[],
): Promise<number> {
  await tx.cancelMessages(subject, await tx.now())
  const told = new Set((await tx.toldMessages(subject)).map(({ target }) => target))
  let written = 0
  for (const target of targets.filter(({ id }) => told.has(id))) {
    written += Number(await writeMessage(tx, { subject, target: target.id, occasion: 'settled', at }))
  }
  return written
}

async function writeForRun(
  tx: Transaction,
  { type, id, at }: EventRecord,
  subject: string,
  targets: readonly TargetRecord[],
): Promise<number> {
  if (type !== 'run.failed') {
    // It was started again: people need not hear that it had failed.
    await tx.cancelMessages(subject, await tx.now())
    return 0
  }
  const run = await tx.run(subject)
  if (run?.status !== 'failed') return 0
  let written = 0
  for (const target of targets.filter(target => target.createdAt <= at)) {
    const due = dueTimeOfRun(target, run, at)
    const occasion = `failed ${id}`
    if (due !== null) written += Number(await writeMessage(tx, { subject, target: target.id, occasion, at, due }))
  }
  return written
}

function occasionOf({ type, id }: EventRecord): string | null {
  if (type === 'request.created') return 'created'
  return type === 'request.reminded' ? `reminded ${id}` : null
}

const runEvents = new Set<string>(['run.failed', 'run.started', 'run.woken'])
