import type { Outcome } from '../protocol/answer.ts'
import type { ReviewRequest } from '../protocol/request.ts'
import { ask, raiseFor } from './asking.ts'
import { failure } from './failure-texts.ts'
import type { Call } from './journal/history.ts'
import type { CallResult, ToolContext, Waiting } from './tool-context.ts'
import type { PlanTool, Tool } from './tools/tool.ts'

// In plan mode the agent reads, searches and asks; everything that may change something is refused here, whatever the
// model was told. The journal has the mode, so it survives a crash: a person turns it on and off, and their approval of
// a plan, which is part of the result that the model gets, ends it.

/** Whether a tool can be used before a plan is approved. Nobody knows whether a command only reads, so none runs. */
function isFreeInPlanMode(tool: Tool): boolean {
  return tool.kind !== 'work' || tool.effect === 'none'
}

/** Null where the call may run. Its request, if there is one, is withdrawn: a yes to it would set nothing off. */
export async function refuseWhilePlanning(context: ToolContext, call: Call, tool: Tool): Promise<CallResult | null> {
  if (!context.isPlanning() || isFreeInPlanMode(tool)) return null
  const { hub } = context.asking
  if (call.request !== null) await hub.cancel(call.request, { reason: 'The agent is in plan mode' })
  return failure(
    `${tool.name} is refused in plan mode: nothing is changed before the user approves a plan.`,
    'Read and search for what you need, then present the plan with PresentPlan.',
  )
}

/** Asks a person to review the plan. Only their approval ends plan mode. */
export async function presentPlan(
  context: ToolContext,
  call: Call,
  tool: PlanTool,
  input: unknown,
): Promise<CallResult | Waiting> {
  if (!context.isPlanning() && call.request === null)
    return failure('This is not plan mode: you may change things.', 'Do the work.')
  if (context.asking.path.length > 1)
    return failure('Only the agent that talks with the user presents a plan.', 'Report what you found.')
  const request = await ask(context, call, () => raiseFor(context.asking, call.id, tool.review(input)))
  if (request.status === 'pending' || !request.outcome || request.kind !== 'review') return { waiting: [request] }
  return { ...outcomeOf(request, request.outcome), request }
}

function outcomeOf({ title }: ReviewRequest, { status, answers, note, reason }: Outcome): CallResult {
  const [answer] = answers
  const said = [answer?.text, answer?.note, note].filter(Boolean).join('\n')
  const kept = (decision: string) => [{ question: `Plan: ${title}`, answer: said ? `${decision}: ${said}` : decision }]
  if (status === 'answered' && answer?.selected[0] === 'approve') {
    const withChanges = said ? ` They add, and it counts more than the plan: ${said}` : ''
    return {
      output: `The user approved the plan.${withChanges} Plan mode is over: carry it out.`,
      answers: kept('approved'),
      plan: 'approved',
    }
  }
  if (status === 'answered') {
    return {
      output: `The user wants changes to the plan: ${said}\nIt is not approved. Change it and present it again.`,
      answers: kept('wanted changes'),
    }
  }
  const why = reason ? `: ${reason}` : ''
  if (status === 'declined') {
    const output = `The user said no to the plan${why}.${note ? ` ${note}` : ''} Plan mode stays on. Ask what they want, or stop.`
    return { output, failed: true, answers: kept(`declined${why}`) }
  }
  return { output: `Nobody decided about the plan${why}. It is not approved.`, failed: true }
}
