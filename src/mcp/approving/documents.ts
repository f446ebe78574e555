import { randomUUID } from 'node:crypto'
import { BeckonError } from '../../protocol/errors.ts'
import type { ApprovalRequest } from '../../protocol/request.ts'
import { actionText, editText } from '../../rules/action-text.ts'
import type { Decision, ToolCall } from '../../tool-calls/tool-call.ts'
import type { Call } from '../call.ts'
import { type Document, outcomeOf } from '../documents.ts'
import { ticketFor } from '../ticket.ts'
import { isOfApprove, type Proposal } from './propose.ts'

type CallOfTool = Pick<ToolCall, 'tool' | 'input'>

// "verdict" is what a model acts on: allow (the guard or a person says yes), deny, or ask (nobody has decided yet).

/** The guard needs nobody, or refuses it whoever would approve it: nobody is asked. */
export function decidedByGuard({ verdict, why, safer }: Proposal): Document {
  const next =
    verdict === 'allow'
      ? 'Nothing was run. It needs no approval: run it yourself.'
      : 'Nothing was run, and nobody was asked. Do not try it in another form.'
  const status = verdict === 'allow' ? 'allowed' : 'denied'
  return { id: null, status, verdict, reasons: [...why], safer, next }
}

/**
 * What became of an approval. A yes that only the agent can act on is spent here, immediately before it is returned.
 * `asked` is the call that it was asked for, where this is still known.
 */
export async function decidedByPerson(call: Call, request: ApprovalRequest, asked?: CallOfTool): Promise<Document> {
  const { id, action, outcome } = request
  const reasons = action.reasons.map(({ message }) => message)
  if (request.status === 'pending')
    return { ...(await ticketFor(call, request)), verdict: 'ask', reasons, safer: action.safer }
  const document = outcomeOf(request)
  if (request.status !== 'answered' || outcome?.answers[0]?.selected[0] === 'no') {
    call.onceSent(() => call.hub.confirmDelivery(id))
    const next = 'Nothing was run. Do not run it, and do not try it in another form.'
    return { ...document, verdict: 'deny', safer: action.safer, next }
  }
  if (request.usedAt !== null) return { ...document, verdict: 'deny', next: `${id} was used already. Ask again.` }
  if (!isOfApprove(request)) return { ...document, verdict: 'allow', next: `Nothing was run. ${howToRun(request)}` }
  // Nobody would take the yes: the same call again, or wait, does.
  if (call.signal.aborted) return { ...document, verdict: 'ask' }
  const decision = await (call.machine === null ? spend(call, request) : spendHere(call, request, asked))
  if (decision.behavior === 'deny') return { ...document, verdict: 'deny', next: decision.message }
  const edited = decision.input === null ? {} : { input: decision.input }
  return {
    ...document,
    verdict: 'allow',
    ...edited,
    next: 'Nothing was run. This yes is for one time: do exactly this now.',
  }
}

/** The yes to a call that the host asked about is spent when the host makes that call. */
function howToRun({ id, action, call }: ApprovalRequest): string {
  return call?.id ? 'Make the same call again.' : `To run it in ${action.cwd}: beckon approve --resume ${id}`
}

/** The world may have changed while a person thought: it is looked at once more. */
async function spendHere(call: Call, request: ApprovalRequest, asked?: CallOfTool): Promise<Decision> {
  const { decideCall } = await import('../../tool-calls/decide-call.ts')
  const { agent, run, action, call: bound } = request
  // Of a shell's call, the hub keeps the command.
  const { tool, input } = asked ?? {
    tool: action.tool ?? 'Bash',
    input: action.input ?? { command: action.command ?? '' },
  }
  const { session = null, id = '' } = bound ?? {}
  const toolCall: ToolCall = { agent: agent.name, session, id: id ?? '', tool, input, cwd: action.cwd, run }
  const surroundings = await call.machine?.surroundings(action.cwd)
  if (!surroundings) throw new BeckonError('unsupported', 'Nothing is known of the machine that it would run on.')
  const decision = await decideCall(call.hub, toolCall, request, { surroundings, nonce: randomUUID() })
  return decision ?? { behavior: 'deny', message: `${request.id} still waits for a person.` }
}

async function spend({ hub }: Call, { id, action, outcome }: ApprovalRequest): Promise<Decision> {
  const edited = outcome?.edited
  const executed = edited === undefined ? actionText(action) : editText(edited)
  try {
    await hub.use(id, { digest: action.digest, executed, nonce: randomUUID() })
  } catch (error) {
    if (!(error instanceof BeckonError && ['used', 'lapsed', 'not_granted'].includes(error.code))) throw error
    return { behavior: 'deny', message: error.message }
  }
  return { behavior: 'allow', input: null, note: outcome?.note ?? null }
}
