import * as z from 'zod'
import { limits } from './limits.ts'
import { exactText, filledText, text } from './text.ts'

// What only the asker's machine can read about an action: its door takes the facts when it asks, and again right before
// it acts. The digest of an approval covers them.

/** How much our own doors read and record about one action. What is beyond is said in `unbound`. */
export const factLimits = {
  files: 500,
  programs: 200,
  environment: 500,
  unbound: 50,
  sentence: 1_000,
  value: 20_000,
  /** Characters of one file that is run as code, and of all of them. */
  fileText: 20_000,
  allText: 60_000,
} as const

// Exact texts: the digest covers them to the letter.
const variable = z.union([
  z.strictObject({ name: exactText(limits.label), value: text(limits.text) }),
  /** A secret variable is known by its HMAC alone. */
  z.strictObject({ name: exactText(limits.label), hmac: exactText(limits.name) }),
])

export const factsSchema = z.strictObject({
  /** The directory: where it really is, and which one it is, so that no link can take its place. */
  folder: text(limits.path * 2).optional(),
  /** Every file that the action runs or names. A link has an entry of its own beside its target. */
  files: z
    .array(
      z.strictObject({
        path: exactText(limits.path),
        /** SHA-256 of the content in base64url; `missing` for code that does not exist; else what identifies the file. */
        hash: exactText(limits.name),
        /** What a person is shown of code: the text that was hashed. */
        text: text(limits.preview).optional(),
      }),
    )
    .max(limits.files)
    .default([]),
  /** Every program as it is written, and what it means without links; null if there is no such program. */
  programs: z
    .array(z.strictObject({ name: exactText(limits.path), path: exactText(limits.path).nullable() }))
    .max(limits.files)
    .default([]),
  /** The variables that steer programs. */
  environment: z.array(variable).max(limits.files).default([]),
  /** What else it runs, and the digest does not cover. */
  unbound: z.array(filledText(limits.description)).max(limits.options).default([]),
})
export type Facts = z.output<typeof factsSchema>
export type FactsInput = z.input<typeof factsSchema>
