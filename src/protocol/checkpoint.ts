import * as z from 'zod'
import { limits } from './limits.ts'
import { line, text } from './text.ts'

// What it takes to bring a run, or its files, back to one moment. Of its environment only the names are stored.

const checkpointReasons = ['start', 'request', 'pause', 'phase', 'sleep', 'demand'] as const

const snapshotSchema = z.strictObject({
  /** The working tree as a commit on no branch; the ref keeps it alive. */
  commit: z.string().regex(/^[0-9a-f]{40,64}$/, 'is not the id of a commit'),
  ref: line(limits.path).refine(ref => ref.startsWith('refs/beckon/'), 'is not a ref under refs/beckon/'),
  root: text(limits.path),
  head: line(limits.name).nullable(),
  branch: line(limits.path).nullable(),
  /** Whether there were uncommitted changes. */
  dirty: z.boolean(),
  /** Files that are not in it; the first ones, where there are many. */
  leftOut: z.array(text(limits.path)).max(limits.files),
})

const variable = line(limits.key).refine(name => !name.includes('='), 'must be a name, without its value')

export const checkpointSchema = z.object({
  id: z.string(),
  run: z.string(),
  /** Which start of the run it belongs to. */
  start: z.number(),
  at: z.string(),
  reason: z.enum(checkpointReasons),
  /** The open requests; the one that caused the checkpoint comes first. */
  requests: z.array(z.string()),
  command: z.array(z.string()),
  cwd: z.string(),
  host: z.string(),
  environment: z.array(z.string()),
  session: z.string().nullable(),
  /** How much the run had printed: an offset in its log. */
  logPosition: z.number().nullable(),
  snapshot: snapshotSchema.nullable(),
  /** For example why there is no snapshot. */
  note: z.string().nullable(),
})
export type Checkpoint = z.output<typeof checkpointSchema>

/** What restoring a checkpoint would change. */
export const restorePlanSchema = z.object({
  checkpoint: z.string(),
  host: z.string().describe('The machine that has the files.'),
  here: z.boolean().describe('Whether this server runs on it, and can restore them.'),
  command: z.string().describe('What to run on that machine instead.'),
  restored: z.array(z.string()).describe('Files that would be as they were; the first 200.'),
  removed: z.array(z.string()).describe('Files that would be removed; the first 200.'),
  files: z.number().describe('How many files would change in all.'),
  commits: z.array(z.object({ id: z.string(), title: z.string() })).describe('Made since; they stay. The newest 20.'),
  unsaved: z.array(z.string()).describe('Files with work that is in no commit and no checkpoint yet; the first 200.'),
  refused: z.string().nullable().describe('Why it cannot be restored now.'),
})
export type RestorePlan = z.output<typeof restorePlanSchema>

export const restoredSchema = z.object({
  checkpoint: z.string(),
  restored: z.array(z.string()),
  removed: z.array(z.string()),
  undo: z.string().nullable().describe('A checkpoint of the files as they were before; null where none had to change.'),
})
export type RestoredFiles = z.output<typeof restoredSchema>

/** Without command, directory and open requests: the hub knows them. */
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
