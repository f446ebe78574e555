import * as z from 'zod'
import { inboxViews } from './inbox-view.ts'
import { limits } from './limits.ts'
import { severities } from './severity.ts'
import { dependencyTypes, kinds, onTimeouts } from './status.ts'
import { line, text } from './text.ts'

export * from './inbox-view.ts'

// The inbox as a person sees it: what waits, the urgent first, in rows that are small enough for thousands. The hub sorts,
// counts, folds and finds, so that no flood of one agent hides what another one waits for.

export const inboxFilterSchema = z.strictObject({
  view: z.enum(inboxViews).default('waiting'),
  /** The directory that a project is known by. */
  project: text(limits.path).optional(),
  agent: line(limits.name).optional(),
  run: line(limits.name).optional(),
  kind: z.enum(kinds).optional(),
  /** Only what has waited longer than this, in milliseconds. */
  olderThan: z.coerce.number().int().min(0).max(limits.timeout).optional(),
  search: text(limits.label).optional(),
  /** Only the requests that are alike, none of them folded. */
  alike: line(limits.name).optional(),
  after: line(limits.name).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type InboxFilter = z.input<typeof inboxFilterSchema>

const inboxRowSchema = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  title: z.string(),
  agent: z.string(),
  directory: z.string(),
  run: z.string().nullable(),
  session: z.string().nullable(),
  urgent: z.boolean(),
  /** Of an approval. */
  severity: z.enum(severities).nullable(),
  /** Of a dependency. */
  type: z.enum(dependencyTypes).nullable(),
  /** How many questions it asks, or how many files a review has. */
  parts: z.number(),
  createdAt: z.string(),
  deadline: z.string().nullable(),
  onTimeout: z.enum(onTimeouts),
  /** Who wrote the last message on it. */
  lastMessage: z.enum(['person', 'agent']).nullable(),
  snoozedUntil: z.string().nullable(),
  /** The same for requests that may be answered together, and how many others like it are folded into this row. */
  alike: z.string().nullable(),
  folded: z.number(),
})
export type InboxRow = z.output<typeof inboxRowSchema>

export const inboxSchema = z.object({
  rows: z.array(inboxRowSchema),
  next: z.string().nullable(),
  /** The last event before this was read: `follow` since it misses no change. */
  cursor: z.number(),
  /** Of everything, whatever the filter. */
  counts: z.object({ urgent: z.number(), waiting: z.number(), snoozed: z.number() }),
  /** How many match the filter, folded ones included. */
  found: z.number(),
  /** Those with the most first, at most fifty. */
  projects: z.array(z.object({ directory: z.string(), count: z.number(), urgent: z.number() })),
  agents: z.array(z.object({ name: z.string(), count: z.number(), urgent: z.number() })),
})
export type Inbox = z.output<typeof inboxSchema>

/** Until when a person does not want to see it; null ends that. */
export const snoozeSchema = z.strictObject({ until: z.iso.datetime().nullable() })
export type SnoozeInput = z.input<typeof snoozeSchema>
