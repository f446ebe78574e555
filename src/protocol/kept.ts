import * as z from 'zod'
import { limits } from './limits.ts'
import { dependencyTypes } from './status.ts'
import { line } from './text.ts'

// A kept value is a rule: later asks for the same thing in the same directory get it without a person.

export const keepSchema = z.strictObject({
  /** The name of the rule; the name of the dependency unless given. */
  name: line(limits.name).optional(),
  /** For asks in every directory, and not only in this one. */
  everywhere: z.boolean().default(false),
})
export type Keep = z.output<typeof keepSchema>

/** A kept value as people see it. The value itself is never shown. */
export const keptSchema = z.object({
  name: z.string(),
  type: z.enum(dependencyTypes),
  /** The name that agents ask by. */
  dependency: z.string(),
  /** Null for every directory. */
  directory: z.string().nullable(),
  host: z.string().nullable(),
  /** Whose agents get it: the name of a user of this machine, or of a token. */
  user: z.string(),
  token: z.string().nullable().describe('The token whose runs get it; null for a user of the machine of the hub.'),
  by: z.string(),
  keptAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
export type Kept = z.output<typeof keptSchema>
