import * as z from 'zod'
import { factsSchema } from '../facts.ts'
import { jsonSchema } from '../json-schema.ts'
import { limits } from '../limits.ts'
import { severities } from '../severity.ts'
import { exactText, line, text } from '../text.ts'
import { callSchema } from './call.ts'
import { common } from './common.ts'

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

export const askApproval = z.strictObject({
  kind: z.literal('approval'),
  ...common,
  /** After a wait was cut off: continue with the open request for exactly this action, or with its unused yes. */
  takeUp: z.boolean().default(false),
  /** The agent's session and the id of its call, where a door knows them: two sessions never share a yes. */
  call: callSchema.nullish(),
  action: actionSchema,
})
