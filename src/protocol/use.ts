import * as z from 'zod'
import { callSchema } from './ask/call.ts'
import { limits } from './limits.ts'
import { type Request, requestSchema } from './request.ts'
import { line } from './text.ts'

/** What is said when a yes is spent or a value is taken. */
export const useSchema = z.strictObject({
  /** What is about to be done, and the call that does it; where given, they must be what was approved. */
  digest: z.string().optional(),
  call: callSchema.optional(),
  /** The command as it is run; kept in the event beside what was proposed. */
  executed: z.string().max(limits.command).optional(),
  /** A value that was handed out as a reference may be opened again while its run lives. */
  again: z.boolean().optional(),
  /** Random, of this one caller: the same again is a replay, so that a lost reply burns nothing. */
  nonce: line(limits.name).optional(),
})
export type UseOptions = z.input<typeof useSchema>

export const usedSchema = z.object({ request: requestSchema, value: z.string().nullable() })
export interface Used<Each extends Request = Request> {
  request: Each
  /** The value of a dependency; null for an approval. */
  value: string | null
}
