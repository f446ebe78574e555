import * as z from 'zod'
import { outcomeSchema } from './answer.ts'
import { callSchema } from './ask/call.ts'
import { attachmentSchema } from './attachment.ts'
import type { Json } from './canonical-json.ts'
import { factsSchema } from './facts.ts'
import { messageSchema } from './message.ts'
import { alwaysSchema } from './rule.ts'
import { categories, dependencyTypes, onTimeouts, statuses } from './status.ts'
import { reasonSchema, verdictSchema } from './verdict.ts'

// A request as everybody sees it: the JSON of `beckon show --json` and of the HTTP API. Times are ISO 8601 in UTC.

const question = z.object({
  id: z.string(),
  question: z.string(),
  header: z.string(),
  category: z.enum(categories).nullable(),
  options: z.array(z.object({ label: z.string(), description: z.string(), preview: z.string() })),
  multiSelect: z.boolean(),
  allowOther: z.boolean(),
  default: z.union([z.string(), z.array(z.string())]).nullable(),
})
export type Question = z.output<typeof question>

const action = z.object({
  /** The command; for a tool that runs commands, the one in its input. */
  command: z.string().optional(),
  /** The words of the command, where no shell reads it. */
  argv: z.array(z.string()).optional(),
  tool: z.string().optional(),
  input: (z.unknown() as z.ZodType<Json>).optional(),
  cwd: z.string(),
  digest: z.string(),
  ...verdictSchema.omit({ verdict: true }).shape,
  /** The commands that it really starts, decoded and unwrapped, where they differ from its text. */
  starts: z.array(z.string()).optional(),
  /** The files whose content the digest covers. */
  files: z.array(z.string()).optional(),
  facts: factsSchema.optional(),
  always: alwaysSchema.optional(),
  /** What the asker says against it, beyond what the hub found. */
  claims: z.array(reasonSchema).optional(),
})
export type Action = z.output<typeof action>

const common = {
  id: z.string(),
  run: z.string().nullable(),
  status: z.enum(statuses),
  required: z.boolean(),
  context: z.string().nullable(),
  agent: z.object({ name: z.string(), cwd: z.string(), path: z.array(z.string()), branch: z.string().optional() }),
  place: z
    .object({ user: z.string(), host: z.string().nullable() })
    .optional()
    .describe('Who asked it on which machine.'),
  session: z.string().nullable().optional().describe("The agent's own name for its session, where it is known."),
  deadline: z.string().nullable(),
  onTimeout: z.enum(onTimeouts),
  remindAt: z
    .string()
    .nullable()
    .optional()
    .describe('Once a reminder came: when the next one comes, or null if none does.'),
  key: z.string().nullable(),
  createdAt: z.string(),
  settledAt: z.string().nullable(),
  deliveredAt: z.string().nullable(),
  usedAt: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  messages: z.array(messageSchema).default([]),
  canReply: z.boolean().default(false).describe('Whether the asker hears messages, and can reply.'),
  attachments: z.array(attachmentSchema).default([]),
  traceparent: z
    .string()
    .optional()
    .describe('The trace that it was asked in (W3C Trace Context), where the hub traces.'),
}

/** The fields of each kind: stored as one document, and spread into the request. */
const bodySchemas = {
  question: z.object({ questions: z.array(question) }),
  dependency: z.object({
    type: z.enum(dependencyTypes),
    name: z.string(),
    description: z.string(),
    outside: z.boolean(),
  }),
  approval: z.object({ action, call: callSchema.nullable().optional() }),
  review: z.object({
    phase: z.union([z.number(), z.string()]).nullable(),
    title: z.string(),
    files: z.array(z.string()).describe('The files that the asker named.'),
    diff: z.string().nullable().default(null).describe('What changed, as a unified diff.'),
    feedback: z.string().nullable(),
  }),
} as const

export const requestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), ...common, ...bodySchemas.question.shape }),
  z.object({ kind: z.literal('dependency'), ...common, ...bodySchemas.dependency.shape }),
  z.object({ kind: z.literal('approval'), ...common, ...bodySchemas.approval.shape }),
  z.object({ kind: z.literal('review'), ...common, ...bodySchemas.review.shape }),
])
export type Request = z.output<typeof requestSchema>
export type QuestionRequest = Extract<Request, { kind: 'question' }>
export type DependencyRequest = Extract<Request, { kind: 'dependency' }>
export type ApprovalRequest = Extract<Request, { kind: 'approval' }>
export type ReviewRequest = Extract<Request, { kind: 'review' }>
