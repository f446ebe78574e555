import * as z from 'zod'
import { limits } from './limits.ts'
import { text } from './text.ts'

/** How much is read and recorded about one action. What is beyond is said in `unbound`. */
export const factLimits = {
  files: 500,
  programs: 200,
  environment: 500,
  unbound: 50,
  sentence: 1_000,
  hash: 200,
  value: 20_000,
  /** Characters of one file that is run as code, and of all of them. */
  fileText: 20_000,
  allText: 60_000,
} as const

const variableName = text(limits.label)

/**
 * What only the machine of the asker can read about a command, taken when it is shown and again right before it runs.
 * A yes is bound to it.
 */
export const factsSchema = z.strictObject({
  files: z
    .array(
      z.strictObject({
        /** Absolute. A link has an entry of its own beside its target. */
        path: text(limits.path),
        /** SHA-256 of the content in base64url; `missing` for code that does not exist; else what identifies the file. */
        hash: text(factLimits.hash),
        /** What was hashed, of files that are run as code. */
        text: text(factLimits.fileText).optional(),
      }),
    )
    .max(factLimits.files)
    .default([]),
  programs: z
    .array(
      z.strictObject({
        /** As it is written. */
        name: text(limits.path),
        /** What the name means here, without links; null if there is no such program. */
        path: text(limits.path).nullable(),
      }),
    )
    .max(factLimits.programs)
    .default([]),
  environment: z
    .array(
      z.union([
        z.strictObject({ name: variableName, value: text(factLimits.value) }),
        /** A secret: its HMAC with the asker's key. */
        z.strictObject({ name: variableName, hmac: text(factLimits.hash) }),
      ]),
    )
    .max(factLimits.environment)
    .default([]),
  /** What it runs or reads beyond the rest of the facts, in sentences for a person. */
  unbound: z.array(text(factLimits.sentence)).max(factLimits.unbound).default([]),
})

export type Facts = z.output<typeof factsSchema>
