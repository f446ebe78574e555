import * as z from 'zod'
import { answerGiven } from './answer-given.ts'

/** What a person answered when the same was asked before, in the labels of the present options. */
const earlierAnswerSchema = z.object({
  /** The earlier request. */
  id: z.string(),
  answers: z.array(answerGiven),
  /** What was chosen in short; null where there were several questions. */
  value: z.union([z.string(), z.array(z.string())]).nullable(),
  by: z.string(),
  channel: z.string(),
  at: z.string(),
})
export type EarlierAnswer = z.output<typeof earlierAnswerSchema>

export const earlierSchema = z.object({
  /** Newest first, at most three. */
  earlier: z.array(earlierAnswerSchema),
  /** Whether an answer may become a rule: `always` of an answer. */
  always: z.boolean(),
})
export type Earlier = z.output<typeof earlierSchema>
