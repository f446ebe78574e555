import { randomUUID } from 'node:crypto'
import { withCommand } from '../../approval/shell-tools.ts'
import type { AskInput } from '../../protocol/ask.ts'
import type { Json } from '../../protocol/canonical-json.ts'
import { BeckonError, type Problem } from '../../protocol/errors.ts'
import { approvalLapsesAfter } from '../../protocol/limits.ts'
import type { ApprovalRequest, Request } from '../../protocol/request.ts'
import type { SettledStatus } from '../../protocol/status.ts'
import { commandRules } from '../../rules/command-rules.ts'
import { type Asking, keyOf, shortName, waitUntilSettled } from './asking.ts'

/** A call of a tool that must not happen without a person's yes. */
export interface Call {
  /**
   * The framework's id of this one call, the same after a restart; null where a restart gives it another one. Then the
   * same call of the conversation takes up an open request, or a yes that was not spent.
   */
  readonly id: string | null
  readonly tool: string
  readonly input: Json
  /** What the framework says about it. */
  readonly context?: string | null
}

export type Decision =
  | { readonly approved: true; readonly request: ApprovalRequest; readonly edited: Json | undefined }
  | { readonly approved: false; readonly status: RefusalStatus; readonly message: string }

/** `used`: the yes was spent before. `refused`: the guard or a person's rule does not let anybody ask. */
type RefusalStatus = Exclude<SettledStatus, 'defaulted'> | 'used' | 'refused'

/**
 * What a person says about the call. Nothing is spent yet: a program that dies now gets the same decision again. With a nonce,
 * a yes that may have been spent with it counts as well.
 */
export async function decide(asking: Asking, call: Call, nonce?: string): Promise<Decision> {
  for (let round = 1; ; round += 1) {
    const decision = await decideOnce(asking, call, round, nonce)
    // A yes that nobody used for a quarter of an hour is void: a person is asked anew.
    if (!(decision.approved && hasLapsed(decision.request))) return decision
  }
}

/**
 * The person's decision, and the yes spent: call it immediately before the effect. The same nonce again is a replay; without
 * one, a call whose yes was spent is refused, because it may have run.
 */
export async function decideAndSpend(asking: Asking, call: Call, nonce: string = randomUUID()): Promise<Decision> {
  for (let round = 1; ; round += 1) {
    const decision = await decideOnce(asking, call, round, nonce)
    if (!decision.approved) return decision
    const { id, action, usedAt } = decision.request
    if (usedAt === null && hasLapsed(decision.request)) continue
    try {
      await asking.hub.use(id, { digest: action.digest, call: boundCall(asking, call), nonce })
      // Spent by this caller long ago, and nothing came of it.
      if (!hasLapsed(decision.request)) return decision
    } catch (error) {
      // Without an id of its own, another call like this one has spent it: this one asks for itself.
      if (codeOf(error) === 'used' && call.id !== null) return alreadyUsed(id)
      if (codeOf(error) !== 'used' && codeOf(error) !== 'lapsed') throw error
    }
  }
}

async function decideOnce(asking: Asking, call: Call, round: number, nonce?: string): Promise<Decision> {
  const raised = await raise(asking, call, round)
  if (!('kind' in raised)) return raised
  if (raised.kind !== 'approval') throw new BeckonError('damaged', `${raised.id} is a ${raised.kind}.`)
  // Spent before: by this caller, if it has its nonce; hub.use will tell.
  if (raised.usedAt !== null && nonce === undefined) return alreadyUsed(raised.id)
  return decisionOf(asking, (await waitUntilSettled(asking, raised)) as ApprovalRequest)
}

async function raise(asking: Asking, call: Call, round: number): Promise<Request | Decision> {
  const { hub, common, cwd, timeout } = asking
  const action = { tool: shortName(call.tool), input: call.input, cwd }
  const ask: AskInput = {
    ...common,
    kind: 'approval',
    ...(call.id === null ? { takeUp: true } : { key: keyOf(asking, call.id, ...(round > 1 ? [`${round}`] : [])) }),
    call: boundCall(asking, call),
    context: call.context ?? null,
    action,
    ...(timeout === undefined ? {} : { timeout, onTimeout: 'fail' as const }),
  }
  try {
    const request = await hub.raise(ask)
    return request.status === 'pending' ? await allowByRule(asking, request, action) : request
  } catch (error) {
    const spent = codeOf(error) === 'used' ? spentId(error) : null
    if (spent !== null) return hub.get(spent)
    const refusal = refusalIn(error)
    if (refusal === null) throw error
    return { approved: false, status: 'refused', message: `refused: ${call.tool} ${refusal}. It was not run.` }
  }
}

/** A rule that a person made settles it at once. */
async function allowByRule({ hub }: Asking, request: Request, action: { tool: string; input: Json; cwd: string }) {
  const rules = commandRules(await hub.rules.list())
  if (rules.length === 0) return request
  // The guard takes time to load: only where there are rules to apply.
  const { judgeAction } = await import('../../approval/judge-action.ts')
  const { allowedBy } = judgeAction(action, { env: process.env, rules })
  if (allowedBy === null || !('id' in allowedBy)) return request
  try {
    return (await hub.allowByRule(request.id, allowedBy.id)).request
  } catch (error) {
    if (codeOf(error) === 'not_granted') return request
    throw error
  }
}

async function decisionOf({ hub }: Asking, request: ApprovalRequest): Promise<Decision> {
  const { outcome, id } = request
  if (outcome === null) throw new BeckonError('damaged', `${id} is settled and has no outcome.`)
  const { status, edited } = outcome
  if (status === 'answered' && outcome.answers[0]?.selected[0] !== 'no') {
    if (edited === undefined || 'input' in edited) return { approved: true, request, edited: edited?.input }
    const input = withCommand(request.action.input ?? null, edited.command)
    if (input !== null) return { approved: true, request, edited: input }
    await hub.confirmDelivery(id)
    const message = `changed: A person wants another command. It was not run. Call it again with: ${edited.command}`
    return { approved: false, status: 'declined', message }
  }
  await hub.confirmDelivery(id)
  const known = status === 'answered' || status === 'defaulted' ? 'declined' : status
  return { approved: false, status: known, message: `${known}: ${refusalText(request, known)}` }
}

/** For frameworks that run a call with its own input or not at all. */
export function changedText({ tool }: Call, edited: Json): string {
  return `changed: A person wants it with another input. It was not run. Call ${tool} again with exactly this input: ${JSON.stringify(edited)}`
}

/** What the model reads. It begins with the status, so that a no, silence and a withdrawal stay different. */
function refusalText({ outcome, action }: ApprovalRequest, status: RefusalStatus): string {
  const why = outcome?.reason ? `: ${outcome.reason}` : ''
  const note = outcome?.note ? ` Note: ${outcome.note}` : ''
  const safer = action.safer ? ` Safer: ${action.safer}` : ''
  const end = `${note}${safer}`
  switch (status) {
    case 'declined':
      return `A person said no${why}. It was not run. Do not try it again in another form.${end}`
    case 'skipped':
      return `A person passed over this call${why}. It was not run.${end}`
    case 'expired':
      return `Nobody decided in time. It was not run; silence is not a yes.${end}`
    default:
      return `The request was withdrawn before anybody decided${why}. It was not run.${end}`
  }
}

function alreadyUsed(id: string): Decision {
  const message = `used: The yes to this call (${id}) was used before, and the program ended before it stored the result. It may have run. Check what it did before you call it again.`
  return { approved: false, status: 'used', message }
}

function boundCall({ common }: Asking, { id }: Call) {
  return { session: common.session, id: id === null ? null : shortName(id) }
}

// A little less than the hub allows, so that a yes does not lapse on its way.
const lapsesAfter = approvalLapsesAfter - 30_000

function hasLapsed({ settledAt }: ApprovalRequest): boolean {
  return settledAt !== null && Date.now() - Date.parse(settledAt) > lapsesAfter
}

function codeOf(error: unknown): string | null {
  return error instanceof BeckonError ? error.code : null
}

function spentId(error: unknown): string | null {
  const details = (error as BeckonError).details as { id?: string } | null | undefined
  return details?.id ?? null
}

/** The guard's reason, where the hub stores no such action. */
function refusalIn(error: unknown): string | null {
  if (codeOf(error) !== 'invalid') return null
  const problems = (error as BeckonError).details as Problem[] | undefined
  const refused = problems?.find(({ path, message }) => path.startsWith('action.') && message.startsWith('is refused'))
  return refused?.message ?? null
}
