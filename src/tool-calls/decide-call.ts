import { withCommand } from '../approval/shell-tools.ts'
import type { Json } from '../protocol/canonical-json.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { ApprovalRequest, QuestionRequest, Request } from '../protocol/request.ts'
import { actionText } from '../rules/action-text.ts'
import { planCall, type Surroundings } from './plan-call.ts'
import { withAnswers } from './question-call.ts'
import { boundCall, type Decision, type ToolCall } from './tool-call.ts'

/**
 * What the host is told about a settled request; null while it is pending. Spends the yes: call it immediately before the
 * host is told. The nonce is the caller's own: the same again is a replay.
 */
export async function decideCall(
  hub: HubApi,
  call: ToolCall,
  request: Request,
  { surroundings, nonce }: { surroundings: Surroundings; nonce: string },
): Promise<Decision | null> {
  if (request.status === 'pending') return null
  if (request.kind === 'question') return answerOf(hub, call, request)
  if (request.kind !== 'approval') throw new BeckonError('damaged', `${request.id} is a ${request.kind}.`)
  if (request.status !== 'answered' || request.outcome?.answers[0]?.selected[0] === 'no') {
    await hub.confirmDelivery(request.id)
    return { behavior: 'deny', message: refusal(request) }
  }
  return spendYes(hub, call, request, surroundings, nonce)
}

async function answerOf(hub: HubApi, call: ToolCall, request: QuestionRequest): Promise<Decision> {
  await hub.confirmDelivery(request.id)
  const { status = 'pending', note = null } = request.outcome ?? {}
  if (status === 'answered' || (['defaulted', 'skipped'].includes(status) && request.outcome?.answers.length)) {
    return { behavior: 'allow', input: withAnswers(call, request), note }
  }
  return { behavior: 'deny', message: `${describeNoAnswer(request)} Do not assume an answer.` }
}

/** The world may have changed while a person thought: what a yes is bound to is looked at once more. */
async function spendYes(
  hub: HubApi,
  call: ToolCall,
  request: ApprovalRequest,
  surroundings: Surroundings,
  nonce: string,
): Promise<Decision> {
  const { id, action, outcome } = request
  const edited = outcome?.edited
  const input = edited === undefined ? null : inputOf(call, edited)
  if (edited !== undefined && input === null) {
    await hub.confirmDelivery(id)
    return { behavior: 'deny', message: `Not run: a person changed it. Make this call instead: ${textOf(edited)}` }
  }
  const now = planCall(edited === undefined ? call : { ...call, input }, surroundings)
  if (now.verdict === 'deny') return { behavior: 'deny', message: `It was not run: ${now.reason}` }
  if (edited === undefined && now.digest !== action.digest) {
    return {
      behavior: 'deny',
      message: `What ${id} names changed since a person approved it. Call it again to ask again.`,
    }
  }
  try {
    await hub.use(id, { digest: action.digest, call: boundCall(call), executed: executedBy(action, edited), nonce })
  } catch (error) {
    if (!(error instanceof BeckonError && ['used', 'lapsed', 'not_granted'].includes(error.code))) throw error
    return { behavior: 'deny', message: `It was not run: ${error.message}` }
  }
  return { behavior: 'allow', input, note: outcome?.note ?? null }
}

type Edited = NonNullable<NonNullable<ApprovalRequest['outcome']>['edited']>

/** The agent's input with the person's version in its place; null where only the agent can tell how. */
function inputOf({ input }: ToolCall, edited: Edited): Json {
  return 'command' in edited ? withCommand(input, edited.command) : edited.input
}

function textOf(edited: Edited): string {
  return 'command' in edited ? edited.command : JSON.stringify(edited.input)
}

function executedBy(action: ApprovalRequest['action'], edited: Edited | undefined) {
  if (edited === undefined) return actionText(action)
  return 'command' in edited ? edited.command : actionText({ ...action, input: edited.input })
}

function refusal({ outcome, action }: ApprovalRequest): string {
  const { status, reason, note } = outcome ?? { status: 'cancelled', reason: null, note: null }
  const who = status === 'answered' || status === 'declined' ? 'A person said no' : 'Nobody allowed it'
  const why = reason ? `: ${reason}` : ''
  const safer = action.safer ? ` Safer: ${action.safer}` : ''
  return `${who}${why}. It was not run. Do not try it again in another form.${note ? ` Note: ${note}` : ''}${safer}`
}

function describeNoAnswer({ outcome }: QuestionRequest): string {
  const why = outcome?.reason ? `: ${outcome.reason}` : ''
  switch (outcome?.status) {
    case 'declined':
      return `A person declined to answer${why}.`
    case 'skipped':
      return 'A person skipped the question.'
    case 'expired':
    case 'defaulted':
      return 'Nobody answered in time.'
    default:
      return `The question was withdrawn${why}.`
  }
}
