import { hash } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import type { Judgement } from '../../approval/judge-action.ts'
import type { AskInput } from '../../protocol/ask.ts'
import { canonicalJson, type Json } from '../../protocol/canonical-json.ts'
import { invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { ApprovalRequest } from '../../protocol/request.ts'
import { commandRules } from '../../rules/command-rules.ts'
import { type Asker, askedBy } from '../asker.ts'
import type { Call, Machine } from '../call.ts'

// The guard and all its rules take time to load: only approvals wait for them.

/** An action that an agent wants to carry out, what the guard says about it, and what a person would be asked. */
export interface Proposal {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly why: readonly string[]
  readonly safer: string | null
  /** The rule of a person that allows what would be asked about. */
  readonly rule: string | null
  readonly ask: AskInput
}

export type Proposed = { command: string } | { tool: string; input: Json }

interface Details {
  readonly cwd?: string | undefined
  readonly why?: string | undefined
}

export function propose(call: Call, proposed: Proposed, { cwd: given, why }: Details): Promise<Proposal> {
  const { machine, asker, hub } = call
  const cwd = directoryOf(asker, given)
  const context = why ?? null
  if (machine === null) return proposeUnseen(hub, asker, { ...proposed, cwd }, context)
  return 'command' in proposed
    ? proposeCommand(machine, asker, proposed.command, cwd, context)
    : proposeCall(machine, asker, proposed, cwd, context)
}

/** Only the agent knows its machine: over HTTP it must say where it works. */
function directoryOf({ cwd }: Asker, given: string | undefined): string {
  if (cwd !== null) return resolve(cwd, given ?? '.')
  if (given !== undefined && isAbsolute(given)) return given
  throw invalid([{ path: 'cwd', message: 'is missing; over HTTP, give the absolute path of the directory' }])
}

/** What a yes to a command is bound to, `beckon approve --resume` looks at again before it runs it. */
async function proposeCommand(
  machine: Machine,
  asker: Asker,
  command: string,
  cwd: string,
  context: string | null,
): Promise<Proposal> {
  const { planCommand } = await import('../../approval/plan.ts')
  const { env, rules, hmac } = await machine.surroundings(cwd)
  const { decision, action } = planCommand([command], { cwd, env }, rules, hmac)
  const { boundTo } = asker
  // As in the agent's shell: the same words again in the same session are the same call.
  const bound = boundTo === null ? null : { session: boundTo, id: null }
  return {
    ...judged(decision),
    ask: { ...askedBy(asker), kind: 'approval', takeUp: true, call: bound, action, context },
  }
}

async function proposeCall(
  machine: Machine,
  asker: Asker,
  { tool, input }: { tool: string; input: Json },
  cwd: string,
  context: string | null,
): Promise<Proposal> {
  const { planCall } = await import('../../tool-calls/plan-call.ts')
  const { name, run, boundTo } = asker
  const call = { agent: name ?? 'mcp', session: boundTo, id: idOf(tool, input), tool, input, cwd, run }
  const { verdict, reason, rule, ask } = planCall(call, await machine.surroundings(cwd))
  const why = reason === '' ? [] : [reason]
  return { verdict, why, safer: null, rule, ask: { ...ask, ...askedBy(asker), context } as AskInput }
}

/** Nothing of this machine is looked at, so a yes is bound to the words alone. */
async function proposeUnseen(
  hub: HubApi,
  asker: Asker,
  proposed: Proposed & { cwd: string },
  context: string | null,
): Promise<Proposal> {
  const { judgeAction } = await import('../../approval/judge-action.ts')
  const judgement = judgeAction(proposed, { env: null, rules: commandRules(await hub.rules.list()) })
  const id = 'command' in proposed ? idOf('', proposed.command) : idOf(proposed.tool, proposed.input)
  const call = { session: asker.boundTo, id }
  const ask = { ...askedBy(asker), kind: 'approval' as const, takeUp: true, call, action: proposed, context }
  return { ...judged(judgement), ask }
}

/** The same words again in the same session are the same call, until its yes is spent. */
function idOf(tool: string, input: Json): string {
  return `${ofApprove}${hash('sha256', canonicalJson([tool, input]), 'base64url').slice(0, 22)}`
}

const ofApprove = 'approve:'

/** Whether the tool approve asked it, about a call of another tool. */
export function isOfApprove({ call }: ApprovalRequest): boolean {
  return call?.id?.startsWith(ofApprove) ?? false
}

type Judged = Pick<Judgement, 'verdict' | 'safer' | 'allowedBy'> & { readonly reasons: readonly { message: string }[] }

function judged({ verdict, reasons, safer, allowedBy }: Judged) {
  const rule = allowedBy !== null && 'id' in allowedBy ? allowedBy.id : null
  return { verdict, why: reasons.map(({ message }) => message), safer, rule }
}
