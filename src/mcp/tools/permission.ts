import * as z from 'zod'
import type { Json } from '../../protocol/canonical-json.ts'
import { BeckonError } from '../../protocol/errors.ts'
import { jsonSchema } from '../../protocol/json-schema.ts'
import { limits } from '../../protocol/limits.ts'
import type { Decision } from '../../tool-calls/tool-call.ts'
import type { Document } from '../documents.ts'
import { decideHostCall } from '../permission/decide-host-call.ts'
import { oneLine } from './texts.ts'
import { tool } from './tool.ts'

/** Not for the model: Claude itself calls it, with --permission-prompt-tool. Unknown fields are those of a newer Claude. */
export const permissionTool = tool({
  name: 'permission',
  title: 'Ask for permission',
  description: "For Claude Code's --permission-prompt-tool. Do not call it yourself.",
  input: z.looseObject({
    tool_name: oneLine(limits.name),
    input: jsonSchema,
    tool_use_id: oneLine(limits.name).optional(),
  }),
  // Claude refuses a result that has structured content, too.
  isTextOnly: true,
  async call({ tool_name, input, tool_use_id }, call) {
    const decision = await decideHostCall(call, { tool: tool_name, input, id: tool_use_id ?? null }).catch(deny)
    return claudeDocument(decision, input)
  },
})

/** Claude's permission JSON. */
function claudeDocument(decision: Decision, input: Json): Document {
  if (decision.behavior === 'deny') return { behavior: 'deny', message: decision.message }
  return { behavior: 'allow', updatedInput: decision.input ?? input }
}

/** Without a decision nothing runs. */
function deny(error: unknown): Decision {
  if (!(error instanceof BeckonError)) throw error
  return { behavior: 'deny', message: `It was not run, because nobody could be asked: ${error.message}` }
}
