import { allowByRule } from '../approval/allow-by-rule.ts'
import type { ApprovalAction } from '../approval/plan.ts'
import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { ApprovalRequest, Request } from '../protocol/request.ts'
import type { Reason } from '../protocol/verdict.ts'
import { ask, askAnew, raiseFor } from './asking.ts'
import { failure } from './failure-texts.ts'
import type { Call } from './journal/history.ts'
import { refusalOf } from './outcome-text.ts'
import type { CallResult, ToolContext, Waiting } from './tool-context.ts'
import type { ProposedAction } from './tools/tool.ts'

type Approval =
  | { status: 'granted'; request: ApprovalRequest }
  | { status: 'refused' | 'waiting'; result: CallResult | Waiting }

/** Asks for exactly this action, and again when a yes lapsed before it could be used. `round` counts earlier askings. */
export async function approve(
  context: ToolContext,
  call: Call,
  { action, severity, reasons }: ProposedAction,
  round: number,
): Promise<Approval> {
  const { asking, workspace } = context
  const input: AskInput = {
    kind: 'approval',
    call: { session: asking.conversation, id: call.id },
    action: { ...(action as ApprovalAction), severity, reasons: reasons.map(asSaid) },
  }
  for (let again = round; ; again += 1) {
    const raise = async () => {
      const raised = await raiseFor(asking, call.id, input, again)
      return raised.status === 'pending' ? allowByRule(asking.hub, raised, action, workspace.env) : raised
    }
    const request = await (again === 0 ? ask(context, call, raise) : askAnew(context, call, raise))
    if (request.kind !== 'approval') {
      throw new BeckonError('damaged', `${request.id} is a ${request.kind}, not an approval.`)
    }
    if (request.status === 'pending' || !request.outcome) return { status: 'waiting', result: { waiting: [request] } }
    const isYes = request.status === 'answered' && request.outcome.answers[0]?.selected[0] === 'yes'
    if (!isYes) return { status: 'refused', result: { ...refusalOf(request, request.outcome), request } }
    if (request.usedAt === null && !hasLapsed(request, asking.now())) return { status: 'granted', request }
  }
}

/** A yes is used up before the command runs, never after. */
export async function spend(
  { asking }: ToolContext,
  call: Call,
  { id, action }: ApprovalRequest,
): Promise<CallResult | null> {
  try {
    await asking.hub.use(id, { digest: action.digest, call: { session: asking.conversation, id: call.id } })
    return null
  } catch (error) {
    if (!(error instanceof BeckonError && ['lapsed', 'used', 'not_granted'].includes(error.code))) throw error
    return failure(`It was not run: ${error.message}`, 'Call it again if it is still needed; the user is asked again.')
  }
}

function asSaid({ rule, message, span: [from, to] }: Reason) {
  return { rule, message, span: [from, to] as [number, number] }
}

// A little less than the hub allows, so that a yes does not lapse between here and there.
const lapsesAfter = 14.5 * 60_000

function hasLapsed({ settledAt }: Request, now: number): boolean {
  return settledAt !== null && now - Date.parse(settledAt) > lapsesAfter
}
