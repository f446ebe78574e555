import * as z from 'zod'
import { limits } from './limits.ts'
import { line, text } from './text.ts'

// What a run prints, as it is sent from the machine that it runs on, and as it is read. A place in it is behind so many
// bytes of output and so many notes that stand there: "1042.0".

export const logLimits = { records: 10_000, bytes: 1_048_576, missing: 2 ** 50 } as const

const at = z.iso.datetime({ offset: true }).optional()
const size = Math.ceil(logLimits.bytes / 3) * 4

const logRecordSchema = z.union(
  [
    z.strictObject({ stream: z.enum(['out', 'err', 'note']), at, text: text(logLimits.bytes) }),
    /** Output that is no whole text, such as half a character. */
    z.strictObject({ stream: z.enum(['out', 'err', 'note']), at, base64: z.base64().max(size) }),
    /** Output that is not there any more. */
    z.strictObject({ stream: z.literal('gap'), at, missing: z.int().positive().max(logLimits.missing) }),
  ],
  { error: 'must be { stream, text }, { stream, base64 } or { stream: "gap", missing }' },
)

export const appendLogSchema = z.strictObject({
  /** Where the log ends, as far as its writer knows: `next` of the call before, and "0.0" at first. */
  after: line(limits.name),
  records: z.array(logRecordSchema).max(logLimits.records).default([]),
  /** Nothing more will come. */
  closed: z.boolean().default(false),
})
type Append = z.input<typeof appendLogSchema>
export type AppendLogInput = Omit<Append, 'records'> & { records?: readonly z.input<typeof logRecordSchema>[] }

export const logEndSchema = z.object({
  /** What comes next goes here. Nothing was added where this is not where the writer thought. */
  next: z.string(),
  closed: z.boolean(),
  /** False where the server has the log itself: nothing need be sent. */
  wanted: z.boolean(),
})
export type LogEnd = z.output<typeof logEndSchema>

export interface ReadLogOptions {
  /** `next` of the page before; or `end`, for what was printed last. */
  after?: string
  /** About so many bytes. */
  limit?: number
  /** Seconds to wait where nothing is new. */
  wait?: number
  signal?: AbortSignal
}

export const logPageSchema = z.object({
  pieces: z.array(z.object({ stream: z.enum(['out', 'err', 'note']), text: z.string(), at: z.string() })),
  next: z.string(),
  /** Bytes that are gone before the first piece. */
  missing: z.number(),
  /** Nothing more will come. */
  final: z.boolean(),
  /** The machine that has the log, where the hub has none of it. */
  elsewhere: z.string().nullable(),
})
export type LogPage = z.output<typeof logPageSchema>
