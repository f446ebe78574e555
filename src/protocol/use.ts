import * as z from 'zod'
import { limits } from './limits.ts'
import { requestSchema } from './request.ts'

/** What is said when a yes is spent or a value is taken. */
export const useSchema = z.strictObject({
  /** What is about to be done; must be what the approval showed. */
  digest: z.string().optional(),
  /** The command as it is run; kept in the event beside what was proposed. */
  executed: z.string().max(limits.command).optional(),
  /** A value that was handed out as a reference may be opened again while its run lives. */
  again: z.boolean().optional(),
})
export type UseOptions = z.input<typeof useSchema>

export const usedSchema = z.object({ request: requestSchema, value: z.string().nullable() })
export type Used = z.output<typeof usedSchema>
