import { type SettledStatus, settled } from './status.ts'

// Without zod, because the page needs it before its first picture.

// One fact, appended in the same transaction as the change it records. Its number is the cursor.
export const eventTypes = [
  'request.created',
  'request.message',
  'request.snoozed',
  'request.attached',
  'request.answered',
  'request.defaulted',
  'request.skipped',
  'request.declined',
  'request.expired',
  'request.cancelled',
  'request.orphaned',
  'request.reminded',
  'request.delivered',
  'request.used',
  'kept.added',
  'kept.removed',
  'run.started',
  'run.paused',
  'run.resumed',
  'run.asleep',
  'run.woken',
  'run.completed',
  'run.failed',
  'run.stopped',
  'run.error',
] as const
export type EventType = (typeof eventTypes)[number]

/**
 * What a webhook of a program may choose: every event of a request or a run. `request.settled` stands for all that
 * settle a request, however.
 */
export const programEvents = [
  'request.settled',
  ...eventTypes.filter(type => !type.startsWith('kept.')),
] as readonly ProgramEvent[]
export type ProgramEvent = Exclude<EventType, `kept.${string}`> | 'request.settled'

/** The event that announces how a request was settled. */
export function settlingEvent(status: SettledStatus): EventType {
  return `request.${status}`
}

export const settlingEvents: ReadonlySet<string> = new Set(settled.map(settlingEvent))
