import { BeckonError } from '../protocol/errors.ts'
import { limits } from '../protocol/limits.ts'
import type { ApprovalRequest, Request } from '../protocol/request.ts'
import { ask, askAnew, raiseFor } from './asking.ts'
import { failure } from './failure-texts.ts'
import { digestOf } from './guard.ts'
import type { Call } from './journal/history.ts'
import { refusalOf } from './outcome-text.ts'
import type { Bench, Outcome, Waiting } from './tool-context.ts'
import type { Judged } from './tools/tool.ts'

type Approval =
  | { status: 'granted'; request: ApprovalRequest }
  | { status: 'refused' | 'waiting'; outcome: Outcome | { waiting: Waiting } }

/** Asks for exactly this action. A yes that lapsed before it could be used is asked for again. */
export async function approve(bench: Bench, call: Call, tool: string, judged: Judged): Promise<Approval> {
  const action = actionOf(tool, judged, bench.desk.cwd)
  for (let again = 0; ; again += 1) {
    const raise = () => raiseFor(bench.desk, call.id, { kind: 'approval', action }, again)
    const request = await (again === 0 ? ask(bench, call, raise) : askAnew(bench, call, raise))
    if (request.kind !== 'approval') throw new BeckonError('damaged', `${request.id} is no approval.`)
    if (request.status === 'pending' || !request.outcome) return { status: 'waiting', outcome: { waiting: [request] } }
    const isYes = request.status === 'answered' && request.outcome.answers[0]?.selected[0] === 'yes'
    if (!isYes) return { status: 'refused', outcome: { ...refusalOf(request, request.outcome), request } }
    if (request.usedAt === null && !hasLapsed(request, bench.desk.now())) return { status: 'granted', request }
  }
}

/** A yes is used up before the command runs, never after. */
export async function spend({ desk }: Bench, { id, action }: ApprovalRequest): Promise<Outcome | null> {
  try {
    await desk.hub.use(id, { digest: action.digest })
    return null
  } catch (error) {
    if (!(error instanceof BeckonError && ['lapsed', 'used', 'not_granted'].includes(error.code))) throw error
    return failure(`It was not run: ${error.message}`, 'Call it again if it is still needed; the user is asked again.')
  }
}

function actionOf(tool: string, { command, severity, reasons, safer }: Judged, cwd: string) {
  return {
    command,
    cwd,
    digest: digestOf(tool, command, cwd),
    severity,
    reasons: reasons.slice(0, limits.options).map(({ rule, message, span: [from, to] }) => {
      return { rule, message, span: [from, to] as [number, number] }
    }),
    safer,
  }
}

// A little less than the hub gives it, so that it is not lost between here and there.
const good = 14.5 * 60_000

function hasLapsed({ settledAt }: Request, now: number): boolean {
  return settledAt !== null && now - Date.parse(settledAt) > good
}
