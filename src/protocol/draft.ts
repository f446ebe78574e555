import * as z from 'zod'
import { answerGiven } from './answer.ts'
import { limits } from './limits.ts'
import { line, text } from './text.ts'

// What a person has entered and not sent yet. Nobody checks whether it would already be a valid answer.

const entered = z.strictObject({
  id: line(limits.name),
  selected: z.array(text(limits.label)).max(limits.options).default([]),
  text: text(limits.text).nullable().default(null),
  note: text(limits.note).nullable().default(null),
  /** The text was written beside options and is not selected. */
  own: z.literal(false).optional(),
})

export const draftSchema = z.strictObject({
  answers: z
    .array(entered)
    .max(limits.questions)
    .superRefine((answers, context) => {
      const ids = answers.map(answer => answer.id)
      for (const [i, id] of ids.entries()) {
        if (ids.indexOf(id) < i) context.addIssue({ code: 'custom', path: [i, 'id'], message: 'is used twice' })
      }
    }),
  note: text(limits.note).nullable().default(null),
  by: line(limits.name).optional(),
})
export type DraftInput = z.input<typeof draftSchema>
export type ParsedDraft = z.output<typeof draftSchema>

/** Who asks for drafts, where that is not simply the caller. */
export const draftReaderSchema = z.strictObject({ by: line(limits.name).optional() })
export type DraftReader = z.input<typeof draftReaderSchema>

export const discardDraftSchema = z.strictObject({ by: line(limits.name) })

/** A draft as people see it: only the questions for which something was entered, in their order. */
export const shownDraftSchema = z.object({
  answers: z.array(answerGiven.extend({ own: z.literal(false).optional() })),
  note: z.string().nullable(),
  by: z.string(),
  at: z.string(),
})
export type Draft = z.output<typeof shownDraftSchema>

/** Nobody's screen takes another person's draft for its own. */
export const draftsSchema = z.object({
  own: shownDraftSchema.nullable(),
  /** Newest first. */
  others: z.array(shownDraftSchema),
})
export type Drafts = z.output<typeof draftsSchema>
