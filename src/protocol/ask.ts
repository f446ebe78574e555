import * as z from 'zod'
import { timeout } from './duration.ts'
import { limits } from './limits.ts'
import { alwaysSchema } from './rule.ts'
import { categories, dependencyTypes, onTimeouts } from './status.ts'
import { filledText, line, scalar, text, textOrTexts } from './text.ts'
import { severities } from './verdict.ts'

// What an agent sends. Parsed once at the edge; the result has every default filled in.

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

const agent = z.strictObject({
  name: line(limits.name).optional(),
  cwd: text(limits.path).optional(),
  path: z.array(line(limits.name)).max(50).optional(),
})

const common = {
  run: line(limits.name).nullish(),
  required: z.boolean().default(true),
  context: text(limits.context).nullish(),
  agent: agent.default({}),
  timeout: timeout.nullish(),
  onTimeout: z.enum(onTimeouts).nullish(),
  key: line(limits.key).nullish(),
}

const askQuestion = z.strictObject({
  kind: z.literal('question').default('question'),
  ...common,
  questions: z.array(question).min(1, 'needs at least one question').max(limits.questions),
})

const askDependency = z.strictObject({
  kind: z.literal('dependency'),
  ...common,
  type: z.enum(dependencyTypes),
  name: line(limits.name),
  description: filledText(limits.description),
  /** The file may lie outside of the asker's directory. */
  outside: z.boolean().default(false),
})

const reason = z.strictObject({
  rule: line(limits.name),
  message: text(limits.description),
  span: z.tuple([z.int().min(0), z.int().min(0)]),
})

const askApproval = z.strictObject({
  kind: z.literal('approval'),
  ...common,
  /** After a wait was cut off: continue with the open request for exactly this action, or with its unused yes. */
  takeUp: z.boolean().default(false),
  action: z.strictObject({
    command: filledText(limits.command),
    /** The words of the command, where several were given; without them, a shell reads `command`. */
    argv: z.array(text(limits.command)).max(10_000).optional(),
    cwd: filledText(limits.path),
    digest: line(limits.name),
    severity: z.enum(severities).default('medium'),
    reasons: z.array(reason).max(limits.options).default([]),
    safer: text(limits.command).nullish(),
    /** The commands that it really starts, decoded and unwrapped, where they differ from its text. */
    starts: z.array(text(limits.command)).max(limits.options).optional(),
    /** The files that it names; the digest covers their content. */
    files: z.array(filledText(limits.path)).max(limits.files).optional(),
    always: alwaysSchema.optional(),
  }),
})

const askReview = z.strictObject({
  kind: z.literal('review'),
  ...common,
  phase: z.union([z.int(), text(limits.name)], { error: 'must be a whole number or a name' }).nullish(),
  title: filledText(limits.question),
  files: z.array(filledText(limits.path)).max(limits.files).default([]),
})

/** Every kind by name. Without a kind it is a question. */
export const askSchemas = {
  question: askQuestion,
  dependency: askDependency,
  approval: askApproval,
  review: askReview,
} as const

export type AskInput =
  | z.input<typeof askQuestion>
  | z.input<typeof askDependency>
  | z.input<typeof askApproval>
  | z.input<typeof askReview>
export type Ask =
  | z.output<typeof askQuestion>
  | z.output<typeof askDependency>
  | z.output<typeof askApproval>
  | z.output<typeof askReview>
