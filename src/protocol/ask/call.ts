import * as z from 'zod'
import { limits } from '../limits.ts'
import { line } from '../text.ts'

/** The agent's session, and its call within it. */
export const callSchema = z.strictObject({
  session: line(limits.name).nullable().default(null),
  id: line(limits.name).nullable().default(null),
})
