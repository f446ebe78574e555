import '../system/node-version.ts'
import { hash } from 'node:crypto'
import { type ModelMessage, type Tool, type ToolApprovalResponse, type ToolModelMessage, type ToolSet, tool } from 'ai'
import * as z from 'zod'
import type { Json } from '../protocol/canonical-json.ts'
import type { HubApi } from '../protocol/hub.ts'
import { type Call, changedText, decide, decideAndSpend } from './shared/approvals.ts'
import { type Asking, type AskingOptions, asking, keyOf } from './shared/asking.ts'
import { type Answer, askQuestions, describeNoAnswer } from './shared/questions.ts'

// Approvals of the AI SDK (version 7): a step ends with `tool-approval-request` parts, and the next one begins with the
// responses to them. Messages that the program stored before it asked are all that a restart needs.

export type { AskingOptions }

const framework = 'ai-sdk'

/**
 * Asks people about every tool call that waits for an approval, all at once, and returns the tool message to append; null
 * where nothing waits. Store the messages before: after a crash the same messages get the same answers.
 */
export async function answerApprovals(
  hub: HubApi,
  messages: readonly ModelMessage[],
  options: AskingOptions,
): Promise<ToolModelMessage | null> {
  const conversation = asking(hub, options, framework)
  const waiting = waitingApprovals(messages)
  if (waiting.length === 0) return null
  const content = await Promise.all(waiting.map(one => respond(conversation, one)))
  return { role: 'tool', content }
}

/**
 * The same tools, each spending the person's yes immediately before it runs, so that a call runs at most once, whatever
 * crashes. A call that needed no approval runs as before.
 */
export function approvedTools<TOOLS extends ToolSet>(hub: HubApi, tools: TOOLS, options: AskingOptions): TOOLS {
  const conversation = asking(hub, options, framework)
  const wrapped = Object.entries(tools).map(([name, one]) => {
    const { execute } = one
    if (!execute) return [name, one]
    const guarded: typeof execute = async (input, context) => {
      const call = askedApprovals(context.messages).find(({ id }) => id === context.toolCallId)
      if (call) await needYes(conversation, { ...call, input: input as Json })
      return execute(input, context)
    }
    return [name, { ...one, execute: guarded }]
  })
  return Object.fromEntries(wrapped)
}

/** A tool with which the model asks a person. The result names the outcome: an answer, a no and silence are different. */
export function askHuman(hub: HubApi, options: AskingOptions): Tool<HumanQuestion, HumanAnswer> {
  const conversation = asking(hub, options, framework)
  return tool({
    description:
      'Ask a person a question and wait for the answer. Use it when you cannot decide yourself. Offer options where there are few.',
    inputSchema: questionInput,
    async execute({ question, options: offered = [], multiSelect = false, context }, { messages }) {
      const ask = {
        questions: [{ question, options: offered, ...(offered.length > 0 ? { multiSelect, allowOther: true } : {}) }],
        context: context ?? null,
      }
      // A new call has a new id after a crash; the place in the conversation is the same.
      const place = hash('sha256', JSON.stringify([messages.length, ask]), 'base64url')
      return forModel(await askQuestions(conversation, ask, keyOf(conversation, 'question', place)))
    },
  })
}

const questionInput = z.object({
  question: z.string().describe('The question, with all that a person needs to know to answer it.'),
  options: z.array(z.string()).optional().describe('The answers to choose from; a person may still write another one.'),
  multiSelect: z.boolean().optional().describe('Whether several options may be chosen.'),
  context: z.string().optional().describe('Background in Markdown.'),
})

export type HumanQuestion = z.output<typeof questionInput>

/** What the model gets. Without a value, the message says what became of the question. */
export interface HumanAnswer {
  status: Answer['status']
  value?: string | string[]
  note?: string
  message?: string
}

interface AskedCall extends Call {
  readonly approvalId: string
}

/** Requests without a response, in the order of the calls. */
function waitingApprovals(messages: readonly ModelMessage[]): AskedCall[] {
  const answered = new Set(
    partsOf(messages).flatMap(part => (part.type === 'tool-approval-response' ? [part.approvalId] : [])),
  )
  return askedApprovals(messages).filter(({ approvalId }) => !answered.has(approvalId))
}

/** The calls that are a person's to approve, and not the SDK's own automatic decisions. */
function askedApprovals(messages: readonly ModelMessage[]): AskedCall[] {
  const parts = partsOf(messages)
  const calls = new Map(parts.flatMap(part => (part.type === 'tool-call' ? [[part.toolCallId, part] as const] : [])))
  return parts.flatMap(part => {
    if (part.type !== 'tool-approval-request' || part.isAutomatic) return []
    const call = calls.get(part.toolCallId)
    if (!call) return []
    const { approvalId, reason: context = null } = part
    return [{ approvalId, id: call.toolCallId, tool: call.toolName, input: call.input as Json, context }]
  })
}

function partsOf(messages: readonly ModelMessage[]) {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]))
}

async function respond(conversation: Asking, call: AskedCall): Promise<ToolApprovalResponse> {
  const response = { type: 'tool-approval-response' as const, approvalId: call.approvalId }
  const decision = await decide(conversation, call)
  if (!decision.approved) return { ...response, approved: false, reason: decision.message }
  const { request, edited } = decision
  if (edited === undefined) return { ...response, approved: true, reason: `Approved by ${request.outcome?.by}.` }
  await conversation.hub.confirmDelivery(request.id)
  return { ...response, approved: false, reason: changedText(call, edited) }
}

/** The SDK gives the model the message of the error. */
async function needYes(conversation: Asking, call: Call): Promise<void> {
  const decision = await decideAndSpend(conversation, call)
  if (!decision.approved) throw new Error(decision.message)
  if (decision.edited !== undefined) throw new Error(changedText(call, decision.edited))
}

function forModel(answer: Answer): HumanAnswer {
  const { status, value, note } = answer
  if (value === null) return { status, message: describeNoAnswer(answer) }
  return { status, value, ...(note === null ? {} : { note }) }
}
