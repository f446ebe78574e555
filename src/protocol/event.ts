import * as z from 'zod'
import { eventTypes } from './event-types.ts'

export * from './event-types.ts'

export const eventSchema = z.object({
  id: z.number(),
  type: z.enum(eventTypes),
  at: z.string(),
  request: z.string().nullable(),
  run: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})
export type Event = z.output<typeof eventSchema>
