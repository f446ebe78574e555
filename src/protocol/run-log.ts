import * as z from 'zod'
import { limits } from './limits.ts'
import { line, text } from './text.ts'

// The output of a run, as its machine sends it and as it is read. A position is the number of bytes before it and the
// number of notes at that byte: "1042.0".

export const logLimits = { records: 10_000, bytes: 1_048_576, missing: 2 ** 50 } as const

const at = z.iso.datetime({ offset: true }).optional()
const size = Math.ceil(logLimits.bytes / 3) * 4

const logRecordSchema = z.union(
  [
    z.strictObject({ stream: z.enum(['out', 'err', 'note']), at, text: text(logLimits.bytes) }),
    /** Output that is not valid text, such as half a character. */
    z.strictObject({ stream: z.enum(['out', 'err', 'note']), at, base64: z.base64().max(size) }),
    /** Output that was lost or removed. */
    z.strictObject({ stream: z.literal('gap'), at, missing: z.int().positive().max(logLimits.missing) }),
  ],
  { error: 'must be { stream, text }, { stream, base64 } or { stream: "gap", missing }' },
)

export const appendLogSchema = z.strictObject({
  /** Where the log ends, as far as its writer knows: `next` of the call before, and "0.0" at first. */
  after: line(limits.name),
  records: z.array(logRecordSchema).max(logLimits.records).default([]),
  /** No more output follows. */
  closed: z.boolean().default(false),
})
type Append = z.input<typeof appendLogSchema>
export type AppendLogInput = Omit<Append, 'records'> & { records?: readonly z.input<typeof logRecordSchema>[] }

export const logEndSchema = z.object({
  /** Where the log ends now. Nothing was appended where the writer expected another end. */
  next: z.string(),
  closed: z.boolean(),
  /** False where the server has the log itself, so that nobody need send it. */
  wanted: z.boolean(),
})
export type LogEnd = z.output<typeof logEndSchema>

export interface ReadLogOptions {
  /** `next` of the page before; or `end` for the last output. */
  after?: string
  /** The approximate size of a page in bytes. */
  limit?: number
  /** Seconds to wait where nothing is new. */
  wait?: number
  signal?: AbortSignal
}

export const logPageSchema = z.object({
  pieces: z.array(z.object({ stream: z.enum(['out', 'err', 'note']), text: z.string(), at: z.string() })),
  next: z.string(),
  /** Bytes that are lost before the first piece. */
  missing: z.number(),
  /** No more output follows. */
  final: z.boolean(),
  /** The machine that has the log, where the hub does not have it. */
  elsewhere: z.string().nullable(),
})
export type LogPage = z.output<typeof logPageSchema>
