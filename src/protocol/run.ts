import * as z from 'zod'
import { limits } from './limits.ts'
import { runStatuses } from './status.ts'
import { line, text } from './text.ts'

const waitings = ['waiting_question', 'waiting_dependency', 'waiting_approval', 'waiting_review'] as const

export const runSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(runStatuses),
  /** Derived from the open requests of the run, never stored. */
  waiting: z.array(z.enum(waitings)),
  blockedReason: z.string().nullable(),
  blockedAt: z.string().nullable(),
  command: z.array(z.string()),
  cwd: z.string(),
  host: z.string(),
  pid: z.number().nullable(),
  session: z.string().nullable(),
  exitCode: z.number().nullable(),
  /** Why it failed or was stopped; null otherwise. */
  reason: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
})
export type Run = z.output<typeof runSchema>

export const startRunSchema = z.strictObject({
  /** Start this run again instead of a new one: it gets its earlier answers again, in order. */
  again: line(limits.name).optional(),
  /** Only if it is in this state, so that of several processes one wakes the run. */
  onlyFrom: z.enum(runStatuses).optional(),
  name: line(limits.name).optional(),
  command: z.array(text(limits.command)).min(1).max(10_000),
  cwd: text(limits.path),
  host: line(limits.name).optional(),
  pid: z.int().positive().nullish(),
  session: line(limits.name).nullish(),
  /** Brings the run back: with it, the run does not orphan its requests when it ends. */
  resumeCommand: z.array(text(limits.command)).max(10_000).nullish(),
  sleeps: z.boolean().default(false),
})
export type StartRunInput = z.input<typeof startRunSchema>

export const changeRunSchema = z.strictObject({
  status: z.enum(runStatuses).optional(),
  pid: z.int().positive().nullish(),
  session: line(limits.name).nullish(),
  exitCode: z.int().nullish(),
  /** Something went wrong that people should know; the run continues. */
  error: text(limits.note).nullish(),
  /** Why it changes. A run that fails or stops keeps it. */
  reason: text(limits.note).nullish(),
})
type ChangeRun = z.input<typeof changeRunSchema>
/** A run never fails without a reason. Where a program over HTTP gives none, the hub writes what it knows. */
export type ChangeRunInput =
  | (Omit<ChangeRun, 'status'> & { status?: Exclude<ChangeRun['status'], 'failed'> })
  | (Omit<ChangeRun, 'status' | 'reason'> & { status: 'failed'; reason: string })
