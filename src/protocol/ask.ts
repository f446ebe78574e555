import * as z from 'zod'
import { attachmentsInputSchema } from './attachment.ts'
import { jsonSchema } from './canonical-json.ts'
import { timeout } from './duration.ts'
import { factsSchema } from './facts.ts'
import { limits } from './limits.ts'
import { categories, dependencyTypes, onTimeouts } from './status.ts'
import { exactText, filledText, line, scalar, text, textOrTexts } from './text.ts'
import { severities } from './verdict.ts'

/** The agent's session, and its call within it. */
export const callSchema = z.strictObject({
  session: line(limits.name).nullable().default(null),
  id: line(limits.name).nullable().default(null),
})

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
  /** The git branch that is checked out in `cwd`. */
  branch: line(limits.name).optional(),
})

const common = {
  run: line(limits.name).nullish(),
  required: z.boolean().default(true),
  context: text(limits.context).nullish(),
  agent: agent.default({}),
  /** The agent's own name for its session, where a door knows it: asks of two sessions are never the same ask. */
  session: line(limits.name).nullish(),
  timeout: timeout.nullish(),
  onTimeout: z.enum(onTimeouts).nullish(),
  key: line(limits.key).nullish(),
  /** The asker hears messages while it waits, and can reply. */
  canReply: z.boolean().default(false),
  /** Pictures and other files for the person: stored with the request, never passed on to chats. */
  attachments: attachmentsInputSchema.default([]),
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
  template: text(limits.description).optional(),
  params: z.record(line(limits.name), text(limits.description)).optional(),
  span: z.tuple([z.int().min(0), z.int().min(0)]),
})

// What the hub works out for itself. Whatever an asker says about these is not looked at.
const hubsOwn = z.unknown().optional()

const actionSchema = z
  .strictObject({
    command: exactText(limits.command).optional(),
    /** The words of the command, where no shell reads it. */
    argv: z.array(text(limits.command)).min(1).max(10_000).optional(),
    tool: line(limits.name).optional(),
    input: jsonSchema.optional(),
    cwd: exactText(limits.path).optional(),
    facts: factsSchema.optional(),
    /** Can make the hub's own judgement stricter, never milder. */
    severity: z.enum(severities).optional(),
    /** Shown as the asker's words. */
    reasons: z.array(reason).max(limits.options).default([]),
    ...{
      digest: hubsOwn,
      safer: hubsOwn,
      rewritten: hubsOwn,
      starts: hubsOwn,
      files: hubsOwn,
      always: hubsOwn,
      covers: hubsOwn,
    },
  })
  .superRefine(({ command, argv, tool, input, cwd }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (command === undefined && tool === undefined)
      refuse('command', 'is missing; give a command, or a tool and its input')
    if (command !== undefined && tool !== undefined) refuse('tool', 'cannot be combined with a command')
    if (command !== undefined && input !== undefined) refuse('input', 'belongs to a tool')
    if (command !== undefined && cwd === undefined) refuse('cwd', 'is missing')
    if (tool !== undefined && input === undefined) refuse('input', 'is missing')
    if (tool !== undefined && argv !== undefined) refuse('argv', 'belongs to a command')
  })

const askApproval = z.strictObject({
  kind: z.literal('approval'),
  ...common,
  /** After a wait was cut off: continue with the open request for exactly this action, or with its unused yes. */
  takeUp: z.boolean().default(false),
  /** The agent's session and the id of its call, where a door knows them: two sessions never share a yes. */
  call: callSchema.nullish(),
  action: actionSchema,
})

const askReview = z.strictObject({
  kind: z.literal('review'),
  ...common,
  phase: z.union([z.int(), text(limits.name)], { error: 'must be a whole number or a name' }).nullish(),
  title: filledText(limits.question),
  files: z.array(filledText(limits.path)).max(limits.files).default([]),
  /** What changed, as `git diff` prints it. */
  diff: text(limits.diff).nullish(),
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
