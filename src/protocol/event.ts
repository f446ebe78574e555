import * as z from 'zod'
import { type SettledStatus, settled } from './status.ts'

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

/** The event that announces how a request was settled. */
export function settlingEvent(status: SettledStatus): EventType {
  return `request.${status}`
}

export const settlingEvents: ReadonlySet<string> = new Set(settled.map(settlingEvent))

export const eventSchema = z.object({
  id: z.number(),
  type: z.enum(eventTypes),
  at: z.string(),
  request: z.string().nullable(),
  run: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})
export type Event = z.output<typeof eventSchema>
