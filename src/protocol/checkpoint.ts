import * as z from 'zod'
import { limits } from './limits.ts'
import { line, text } from './text.ts'

// What it takes to bring a run back, or its files, to one moment. Of its environment only the names.

export const checkpointReasons = ['start', 'request', 'pause', 'phase', 'sleep', 'demand'] as const

const snapshotSchema = z.strictObject({
  /** The working tree as a commit that no branch knows of; the ref keeps it. */
  commit: z.string().regex(/^[0-9a-f]{40,64}$/, 'is no id of a commit'),
  ref: line(limits.path).refine(ref => ref.startsWith('refs/beckon/'), 'is no ref of ours'),
  root: text(limits.path),
  head: line(limits.name).nullable(),
  branch: line(limits.path).nullable(),
  /** Whether it had something that was not committed. */
  dirty: z.boolean(),
  /** Files that are not in it; the first of them, where there are many. */
  leftOut: z.array(text(limits.path)).max(limits.files),
})

const variable = line(limits.key).refine(name => !name.includes('='), 'must be a name alone, without its value')

export const checkpointSchema = z.object({
  id: z.string(),
  run: z.string(),
  /** Which start of the run it is of. */
  start: z.number(),
  at: z.string(),
  reason: z.enum(checkpointReasons),
  /** What was open: the one that caused it first. */
  requests: z.array(z.string()),
  command: z.array(z.string()),
  cwd: z.string(),
  host: z.string(),
  environment: z.array(z.string()),
  session: z.string().nullable(),
  /** How much the run had printed: an offset in its log. */
  logPosition: z.number().nullable(),
  snapshot: snapshotSchema.nullable(),
  /** What there is to say about it; why there is no snapshot. */
  note: z.string().nullable(),
})
export type Checkpoint = z.output<typeof checkpointSchema>

/** What the run itself says of command, place and open requests is not asked for: the hub knows it. */
export const saveCheckpointSchema = z.strictObject({
  run: line(limits.name),
  reason: z.enum(checkpointReasons),
  requests: z.array(line(limits.name)).max(limits.files).default([]),
  environment: z.array(variable).max(10_000).default([]),
  session: line(limits.name).nullish(),
  logPosition: z.int().nonnegative().nullable().default(null),
  snapshot: snapshotSchema.nullable().default(null),
  note: text(limits.note).nullable().default(null),
})
export type SaveCheckpointInput = z.input<typeof saveCheckpointSchema>
