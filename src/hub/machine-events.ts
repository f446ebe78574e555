import { type ProgramEvent, settlingEvents } from '../protocol/index.ts'
import type { EventRecord, TargetRecord } from '../store/records.ts'
import type { Transaction } from '../store/store.ts'
import { eventOccasion } from './machine-occasion.ts'
import { wantsRequest } from './target-wants.ts'
import { writeMessage } from './write-message.ts'

// Webhooks of programs: every event that they chose by type, also those of requests that are settled since.

export function isForProgram({ wants }: TargetRecord): boolean {
  return wants.events !== undefined
}

/** Writes a message to every webhook that chose this event; returns how many. */
export async function writeForPrograms(
  tx: Transaction,
  event: EventRecord,
  targets: readonly TargetRecord[],
): Promise<number> {
  const subject = event.request ?? event.run
  if (subject === null) return 0
  let written = 0
  for (const target of targets) {
    const name = nameFor(target, event)
    if (name === null || !(await isWanted(tx, event, target))) continue
    const message = { subject, target: target.id, occasion: eventOccasion(name, event.id), at: event.at }
    written += Number(await writeMessage(tx, message))
  }
  return written
}

/** The name that the target chose the event by; null where it did not. */
function nameFor({ wants, createdAt }: TargetRecord, { type, at }: EventRecord): ProgramEvent | null {
  const events: readonly string[] = wants.events ?? []
  if (createdAt > at) return null
  if (settlingEvents.has(type) && events.includes('request.settled')) return 'request.settled'
  return events.includes(type) ? (type as ProgramEvent) : null
}

/** Kinds, severities and projects choose among requests. A run's events were chosen by name. */
async function isWanted(tx: Transaction, { request }: EventRecord, target: TargetRecord): Promise<boolean> {
  if (request === null) return true
  const record = await tx.request(request)
  return record !== null && wantsRequest(target, record)
}
