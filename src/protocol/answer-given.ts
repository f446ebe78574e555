import * as z from 'zod'

/** What a person answered to one question. */
export const answerGiven = z.object({
  id: z.string(),
  selected: z.array(z.string()),
  text: z.string().nullable(),
  note: z.string().nullable(),
})
export type AnswerGiven = z.output<typeof answerGiven>
