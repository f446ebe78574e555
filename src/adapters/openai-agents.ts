import '../system/node-version.ts'
import type { Json } from '../protocol/canonical-json.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import { type Call, changedText, decide, decideAndSpend } from './shared/approvals.ts'
import { type Asking, type AskingOptions, asking } from './shared/asking.ts'

// Approvals of the OpenAI Agents SDK: a run ends with interruptions, its state is approved or rejected one by one, and the
// run goes on with it. The types are the parts of the SDK that are used here, so that no version of it is required.

export type { AskingOptions }

const framework = 'openai-agents'

/** What an interruption is: `RunToolApprovalItem` of the SDK. */
interface Interruption {
  readonly name?: string | undefined
  readonly arguments?: string | undefined
  readonly rawItem: object
}

/** `RunState` of the SDK. */
interface State<ITEM extends Interruption> {
  getInterruptions(): ITEM[]
  approve(item: ITEM): void
  reject(item: ITEM, options?: { message?: string }): void
  toString(): string
}

export interface StoringOptions extends AskingOptions {
  /** Stores the state where a restart finds it. Nobody is asked before it has returned. */
  save: (state: string) => void | Promise<void>
}

/**
 * Stores the state, asks people about every interruption at once, and approves or rejects each in the state. Run the agent
 * with the state then. After a crash, the stored state gets the same answers. False where nothing was interrupted.
 */
export async function answerInterruptions<ITEM extends Interruption>(
  hub: HubApi,
  state: State<ITEM>,
  { save, ...options }: StoringOptions,
): Promise<boolean> {
  const conversation = asking(hub, options, framework)
  const items = state.getInterruptions()
  if (items.length === 0) return false
  await save(state.toString())
  const decisions = await Promise.all(items.map(item => messageFor(conversation, callOf(item))))
  for (const [index, item] of items.entries()) {
    const refusal = decisions[index] ?? null
    if (refusal === null) state.approve(item)
    else state.reject(item, { message: refusal })
  }
  return true
}

/**
 * For `tool({ needsApproval: true, execute: afterApproval(hub, { thread }, async input => …) })`: spends the person's yes
 * immediately before the function runs, so that a call runs at most once, whatever crashes. A call that needed no approval
 * runs as it does without Beckon.
 */
export function afterApproval<INPUT, CONTEXT, DETAILS, RESULT>(
  hub: HubApi,
  options: AskingOptions,
  execute: (input: INPUT, context?: CONTEXT, details?: DETAILS) => RESULT | Promise<RESULT>,
): (input: INPUT, context?: CONTEXT, details?: DETAILS) => Promise<RESULT | string> {
  const conversation = asking(hub, options, framework)
  return async (input, context, details) => {
    const { callId, name, arguments: given } = (details as CallDetails | undefined)?.toolCall ?? {}
    const call = callId === undefined || name === undefined ? null : { toolName: name, callId }
    if (call && (context as RunContext | undefined)?.isToolApproved(call) === true) {
      const refusal = await spend(conversation, { id: call.callId, tool: call.toolName, input: readInput(given) })
      // The text is what the model gets; of an error the SDK would not tell it the message.
      if (refusal !== null) return refusal
    }
    return await execute(input, context, details)
  }
}

interface RunContext {
  isToolApproved(call: { toolName: string; callId: string }): boolean | undefined
}

interface CallDetails {
  readonly toolCall?: { readonly callId?: string; readonly name?: string; readonly arguments?: string }
}

/** The text for the model where it is not approved; null where it is. */
async function messageFor(conversation: Asking, call: Call): Promise<string | null> {
  const decision = await decide(conversation, call)
  if (!decision.approved) return decision.message
  if (decision.edited === undefined) return null
  await conversation.hub.confirmDelivery(decision.request.id)
  return changedText(call, decision.edited)
}

async function spend(conversation: Asking, call: Call): Promise<string | null> {
  const decision = await decideAndSpend(conversation, call)
  if (!decision.approved) return decision.message
  return decision.edited === undefined ? null : changedText(call, decision.edited)
}

function callOf({ name, arguments: given, rawItem }: Interruption): Call {
  const { callId, id, type, action } = rawItem as Record<string, unknown>
  const called = callId ?? id
  if (typeof called !== 'string') throw new BeckonError('invalid', `The interruption of ${name} has no id of its call.`)
  // A shell or a computer has an action in place of arguments.
  const input = given === undefined ? ((action ?? rawItem) as Json) : readInput(given)
  return { id: called, tool: name ?? String(type), input }
}

/** The arguments as the model wrote them; a person sees them even if they are not JSON. */
function readInput(given = 'null'): Json {
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
