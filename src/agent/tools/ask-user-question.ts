import * as z from 'zod'
import { limits } from '../../protocol/limits.ts'
import description from './ask-user-question.md'
import type { AskTool } from './tool.ts'

const minOptions = 2
const maxOptions = 10

const option = z.union([
  z.string().trim().min(1).max(200),
  z.strictObject({ label: z.string().trim().min(1).max(200), description: z.string().max(1_000).optional() }),
])
const options = z
  .array(option)
  .min(minOptions, `needs at least ${minOptions} options; leave them out for a free answer`)
  .max(maxOptions, `takes at most ${maxOptions} options`)
  .refine(given => new Set(given.map(labelOf)).size === given.length, 'has the same option twice')

const fields = {
  question: z.string().trim().min(1).max(2_000),
  header: z.string().trim().min(1).max(60).optional().describe('One or two words, such as Database'),
  options: options.optional().describe('2 to 10 choices; leave out for a free answer'),
  multiSelect: z.boolean().optional().describe('The user may choose several options'),
}

const schema = z
  .strictObject({
    ...fields,
    question: fields.question.optional(),
    context: z.string().max(20_000).optional().describe('What the user needs to know to decide, in Markdown'),
    questions: z
      .array(z.strictObject(fields))
      .min(1)
      .max(10)
      .optional()
      .describe('Several questions at once, instead of question'),
    replyTo: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Instead of question: the id (req_…) of your open question that the user asked back about'),
    reply: z.string().trim().min(1).max(limits.message).optional().describe('Your reply, with replyTo'),
  })
  .refine(
    ({ question, questions, replyTo }) =>
      [question, questions, replyTo].filter(given => given !== undefined).length === 1,
    { message: 'give either question, questions or replyTo' },
  )
  .refine(({ replyTo, reply }) => (replyTo === undefined) === (reply === undefined), {
    message: 'replyTo and reply belong together',
  })
type Input = z.output<typeof schema>
type QuestionInput = z.output<z.ZodObject<typeof fields>>

export const askUserQuestionTool: AskTool<Input> = {
  kind: 'ask',
  name: 'AskUserQuestion',
  description,
  schema,
  title: input =>
    input.reply ??
    questionsOf(input)
      .map(({ question }) => question)
      .join(' / '),
  reply: ({ replyTo, reply }) =>
    replyTo === undefined || reply === undefined ? null : { request: replyTo, text: reply },
  ask: input => ({
    kind: 'question',
    context: input.context ?? null,
    questions: questionsOf(input).map(({ question, header, options = [], multiSelect = false }) => ({
      question,
      header: header ?? null,
      options: options.map(one => (typeof one === 'string' ? { label: one } : one)).map(withDescription),
      multiSelect: multiSelect && options.length > 0,
      ...(options.length > 0 ? { allowOther: true } : {}),
    })),
  }),
}

function questionsOf({ question, header, options, multiSelect, questions }: Input): QuestionInput[] {
  return questions ?? [{ question: question ?? '', header, options, multiSelect }]
}

function labelOf(given: z.output<typeof option>): string {
  return (typeof given === 'string' ? given : given.label).normalize('NFC')
}

function withDescription({ label, description = '' }: { label: string; description?: string | undefined }) {
  return { label, description }
}
