import * as z from 'zod'
import { limits } from '../limits.ts'
import { categories } from '../status.ts'
import { filledText, line, scalar, text, textOrTexts } from '../text.ts'
import { common } from './common.ts'

const optionFields = z.strictObject({
  label: filledText(limits.label),
  description: text(limits.description).default(''),
  preview: text(limits.preview).default(''),
})

// A plain label is short for an option without a description.
const option = z
  .union(
    [
      z.string().transform(label => ({ label })),
      z.custom<z.input<typeof optionFields>>(given => typeof given === 'object' && given !== null),
    ],
    { error: 'must be a label, or an object with a label' },
  )
  .pipe(optionFields)

const question = z.strictObject({
  id: line(limits.name).optional(),
  question: filledText(limits.question),
  header: line(limits.header).nullish(),
  category: z.enum(categories).nullish(),
  options: z.array(option).max(limits.options).default([]),
  multiSelect: z.boolean().default(false),
  allowOther: z.boolean().optional(),
  default: z.union([scalar(limits.text), z.array(scalar(limits.label)).max(limits.options)], textOrTexts).nullish(),
})

export const askQuestion = z.strictObject({
  kind: z.literal('question').default('question'),
  ...common,
  questions: z.array(question).min(1, 'needs at least one question').max(limits.questions),
})
