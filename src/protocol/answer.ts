import * as z from 'zod'
import { answerGiven } from './answer-given.ts'
import type { Json } from './canonical-json.ts'
import { timeout } from './duration.ts'
import { jsonSchema } from './json-schema.ts'
import { keepSchema } from './kept.ts'
import { limits } from './limits.ts'
import { ruleScopes } from './rule.ts'
import { settled } from './status.ts'
import { filledText, line, scalar, text, textOrTexts } from './text.ts'

// What a person sends, and what is stored of it.

const actor = {
  by: line(limits.name).optional(),
  channel: line(limits.name).optional(),
  note: text(limits.note).nullish(),
}

/**
 * The answer to one question. `value` is what a person typed, or an option by label or number; `selected` are labels
 * only, as a program sends that knows the options; `text` is custom text beside or instead of options.
 */
const questionAnswer = z.strictObject({
  id: line(limits.name).optional(),
  value: z.union([scalar(limits.text), z.array(scalar(limits.text)).max(limits.options)], textOrTexts).optional(),
  selected: z.array(text(limits.label)).max(limits.options).optional(),
  text: text(limits.text).nullish(),
  note: text(limits.note).nullish(),
})
export type QuestionAnswer = z.output<typeof questionAnswer>

/** A person's version of an action. */
export const editedSchema = z.union([
  z.strictObject({ command: filledText(limits.command) }),
  z.strictObject({ input: jsonSchema }),
])

export const answerSchema = z.strictObject({
  answers: z.array(questionAnswer).max(limits.questions).optional(),
  /** A dependency's value, or the short form of an answer to a request with a single question. */
  value: z.union([scalar(limits.text), z.array(scalar(limits.text)).max(limits.options)], textOrTexts).optional(),
  /** Beside a value: text of the person's own, what a review should change, or the reason for a no. */
  text: text(limits.text).nullish(),
  /** Keep a dependency's value for later asks like this one; true for the default name, in this directory. */
  keep: z.union([z.boolean(), keepSchema]).default(false),
  /** Answer the same ask by the same asker so from now on; 30 days long unless `expires` says otherwise. */
  always: z.strictObject({ expires: timeout.optional() }).optional(),
  /** A yes to this command, or this input of the tool, instead of the proposed one. */
  edited: z.union([filledText(limits.command).transform(command => ({ command })), ...editedSchema.options]).optional(),
  ...actor,
})
export type AnswerInput = z.input<typeof answerSchema>
export type ParsedAnswer = z.output<typeof answerSchema>

export const skipSchema = z.strictObject(actor)
export type SkipInput = z.input<typeof skipSchema>

export const declineSchema = z.strictObject({ ...actor, reason: text(limits.note).nullish() })
export type DeclineInput = z.input<typeof declineSchema>

export const cancelSchema = z.strictObject({ ...actor, reason: text(limits.note).nullish() })
export type CancelInput = z.input<typeof cancelSchema>

export { type AnswerGiven, answerGiven } from './answer-given.ts'

export const outcomeSchema = z.object({
  status: z.enum(settled),
  answers: z.array(answerGiven),
  /** A dependency's outcome names the sealed value and never carries it. */
  reference: z.string().optional(),
  /** The command, or the tool's input, that a person approved instead of the proposed one. */
  edited: z.union([z.object({ command: z.string() }), z.object({ input: z.unknown() as z.ZodType<Json> })]).optional(),
  /** The yes, or the answer to a question, also became a rule. */
  always: z.enum([...ruleScopes, 'answer']).optional(),
  by: z.string(),
  channel: z.string(),
  at: z.string(),
  note: z.string().nullable(),
  reason: z.string().nullable(),
})
export type Outcome = z.output<typeof outcomeSchema>

/** What `ask` returns: the outcome with the id of its request, and what was chosen in short. */
export interface AskOutcome extends Outcome {
  id: string
  value: string | string[] | null
}

export type Edited = NonNullable<Outcome['edited']>
