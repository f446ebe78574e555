import { randomUUID } from 'node:crypto'
import type { Json } from '../../protocol/canonical-json.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Decision, ToolCall } from '../../tool-calls/tool-call.ts'
import type { Call } from '../call.ts'
import type { HostCallRepeat } from '../repeats.ts'

/** A call that the host asks about before it makes it. */
export interface HostCall {
  readonly tool: string
  readonly input: Json
  readonly id: string | null
}

/** What the guard, a rule or a person says about a call of the host. It cannot hand out a ticket: at the limit it denies. */
export async function decideHostCall(call: Call, given: HostCall): Promise<Decision> {
  const { name, session, cwd } = call.asker
  const { tool, input } = given
  // A model that was told to call again does so under another id.
  const repeat = call.repeats.beginHostCall([name, session, cwd, tool, input], given.id ?? randomUUID(), call.signal)
  let isDone = false
  try {
    const decision = await decide(call, { ...given, id: repeat.id }, repeat)
    if ('open' in decision) return { behavior: 'deny', message: stillOpen(decision.open) }
    isDone = true
    return decision
  } finally {
    repeat.end(isDone)
  }
}

async function decide(
  call: Call,
  { tool, input, id }: HostCall & { id: string },
  repeat: HostCallRepeat,
): Promise<Decision | { open: Request }> {
  const { hub, asker, machine } = call
  if (machine === null) throw new BeckonError('unsupported', 'Permissions are asked on the machine of the agent.')
  const { planCall } = await import('../../tool-calls/plan-call.ts')
  const { raiseCall } = await import('../../tool-calls/raise-call.ts')
  const { decideCall } = await import('../../tool-calls/decide-call.ts')
  const { name, run, session } = asker
  const given: ToolCall = { agent: name ?? 'mcp', session, run, tool, input, cwd: asker.cwd ?? '/', id }
  const surroundings = await machine.surroundings(given.cwd)
  const plan = planCall(given, surroundings)
  if (plan.verdict === 'deny') return { behavior: 'deny', message: `The guard refuses it: ${plan.reason}` }
  if (plan.verdict === 'allow' && plan.rule === null) return { behavior: 'allow', input: null, note: null }
  const left = repeat.isNew ? await idLeftOpen(hub, given, plan.digest) : null
  if (left !== null) repeat.rename(left)
  const asked = left === null ? given : { ...given, id: left }
  const request = await call.wait(await raiseCall(hub, left === null ? plan : planCall(asked, surroundings)))
  // Nobody would take the decision: the same call again does.
  if (call.signal.aborted) return { open: request }
  const decision = await decideCall(hub, asked, request, { surroundings, nonce: randomUUID() })
  return decision ?? { open: request }
}

/** After a crash of this server: the id of the same call, whose request is still open. */
async function idLeftOpen(
  hub: HubApi,
  { session, agent, cwd }: ToolCall,
  digest: string | null,
): Promise<string | null> {
  if (digest === null) return null
  const { requests } = await hub.list({ status: 'pending', kind: 'approval', limit: 200 })
  for (const request of requests) {
    if (request.kind !== 'approval' || request.action.digest !== digest || request.agent.name !== agent) continue
    if ((request.call?.session ?? null) === session && request.agent.cwd === cwd) return request.call?.id ?? null
  }
  return null
}

function stillOpen({ id }: Request): string {
  return `Nobody has decided yet: ${id} still waits for a person. It was not run. Make exactly the same call again to wait for the answer.`
}
