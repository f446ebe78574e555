import * as z from 'zod'

// A whole id is long because it is never used twice. People type its end, as much of it as is unique: the beginning is the
// time, and the same for all of today. Only what people type is completed so; programs name whole ids.

/** Shorter ones fit too many. */
export const leastOfId = 3

const idNouns = ['request', 'run', 'checkpoint'] as const
export type IdNoun = (typeof idNouns)[number]

export const findIdsSchema = z.strictObject({
  end: z
    .string()
    .regex(/^[0-9a-zA-Z]{3,40}$/, 'must be the end of an id: at least three letters or digits')
    .describe('The end of the id: at least three letters or digits.'),
  of: z.enum(idNouns).default('request').describe('`request` unless given.'),
})
export type FindIdsInput = z.input<typeof findIdsSchema>

export const foundIdSchema = z.object({
  id: z.string(),
  title: z.string().describe('What it is about: the question, the name of a run, the reason for a checkpoint.'),
  status: z.string().nullable().describe('Of a request or a run.'),
})
export type FoundId = z.output<typeof foundIdSchema>
