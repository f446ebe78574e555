import * as z from 'zod'
import { limits } from './limits.ts'
import { exactText, filledText, line, text } from './text.ts'

// What only the asker's machine can read about an action: its door takes the facts when it asks, and again right before
// it acts. The digest of an approval covers them.

const variable = z.union([
  z.strictObject({ name: line(limits.name), value: text(limits.text) }),
  /** A secret variable is known by its HMAC alone. */
  z.strictObject({ name: line(limits.name), hmac: line(limits.name) }),
])

export const factsSchema = z.strictObject({
  /** Every file that the action runs or reads as code, with the hash of its content. */
  files: z
    .array(
      z.strictObject({
        path: exactText(limits.path),
        hash: line(limits.name),
        /** What a person is shown of code: the text that was hashed. */
        text: text(limits.preview).optional(),
      }),
    )
    .max(limits.files)
    .default([]),
  /** Every program by name, and where it was found. */
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
