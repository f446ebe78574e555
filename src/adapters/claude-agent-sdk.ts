import '../system/node-version.ts'
import type { Json } from '../protocol/canonical-json.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { QuestionRequest } from '../protocol/request.ts'
import { isQuestionCall, questionsOfCall, withAnswers } from '../tool-calls/question-call.ts'
import type { ToolCall } from '../tool-calls/tool-call.ts'
import { decideAndSpend } from './shared/approvals.ts'
import { type Asking, type AskingOptions, asking, raiseAndWait } from './shared/asking.ts'
import { describeNoAnswer } from './shared/questions.ts'

// The types are the parts of the Claude Agent SDK that are used here, so that no version of it is required.

export type { AskingOptions }

const framework = 'claude-agent-sdk'

type Input = Record<string, unknown>

/** `PermissionResult` of the SDK. */
export type PermissionResult =
  | { behavior: 'allow'; updatedInput: Input }
  | { behavior: 'deny'; message: string; interrupt?: boolean }

/** `CanUseTool` of the SDK. */
export type CanUseTool = (
  tool: string,
  input: Input,
  options: { signal: AbortSignal; toolUseID: string; title?: string; decisionReason?: string; agentID?: string },
) => Promise<PermissionResult>

/**
 * For `query({ prompt, options: { canUseTool: canUseTool(hub, { thread }) } })`: what Claude may not do by itself is asked in
 * the hub, and so are its own questions (AskUserQuestion). The yes is spent immediately before Claude is told.
 */
export function canUseTool(hub: HubApi, options: AskingOptions): CanUseTool {
  return async (tool, input, { signal, toolUseID, title, decisionReason }) => {
    const conversation = asking(hub, options, framework, signal)
    const call = toToolCall(conversation, tool, input, toolUseID)
    if (isQuestionCall(call)) return answerQuestions(conversation, call)
    const context = [title, decisionReason].filter(Boolean).join('\n\n') || null
    // When the program dies, Claude ends the call, and calls again after a restart: with another id.
    const decision = await decideAndSpend(conversation, { id: null, tool, input: call.input, context })
    if (!decision.approved) return { behavior: 'deny', message: decision.message }
    return { behavior: 'allow', updatedInput: (decision.edited as Input | undefined) ?? input }
  }
}

/** Without a key: the same questions of this conversation take up an answer that Claude never got. */
async function answerQuestions(conversation: Asking, call: ToolCall): Promise<PermissionResult> {
  const { hub, common, timeout } = conversation
  const within = timeout === undefined ? {} : { timeout }
  const ask = { ...common, ...within, kind: 'question' as const, questions: questionsOfCall(call) }
  const settled = await raiseAndWait(conversation, ask)
  await hub.confirmDelivery(settled.id)
  const { status = 'cancelled', reason = null, answers = [] } = settled.outcome ?? {}
  if (answers.length === 0) return { behavior: 'deny', message: `${status}: ${describeNoAnswer({ status, reason })}` }
  return { behavior: 'allow', updatedInput: withAnswers(call, settled as QuestionRequest) as Input }
}

function toToolCall({ common, cwd }: Asking, tool: string, input: Input, id: string): ToolCall {
  const { session, run, agent } = common
  return { agent: agent.name, session, run, id, tool, cwd, input: input as Json }
}
