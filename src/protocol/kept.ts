import * as z from 'zod'
import { limits } from './limits.ts'
import { dependencyTypes } from './status.ts'
import { line } from './text.ts'

// A value that a person keeps is a rule: later asks for the same thing, in the same place, get it without a person.

export const keepSchema = z.strictObject({
  /** What the rule is called; the name of the dependency unless given. */
  name: line(limits.name).optional(),
  /** In every directory, and not only where it was asked for. */
  everywhere: z.boolean().default(false),
})
export type Keep = z.output<typeof keepSchema>

/** A rule as everybody may see it who may answer. The value is never shown. */
export const keptSchema = z.object({
  name: z.string(),
  type: z.enum(dependencyTypes),
  /** The name that agents ask by. */
  dependency: z.string(),
  /** Null for everywhere. */
  directory: z.string().nullable(),
  host: z.string().nullable(),
  /** Whose agents get it. */
  user: z.string(),
  by: z.string(),
  keptAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
export type Kept = z.output<typeof keptSchema>
