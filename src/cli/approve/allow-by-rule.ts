import type { Plan } from '../../approval/plan.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'

/**
 * A person's rule says yes in their place. It is stored as a request like any other, so that every use leaves a trail.
 * Over HTTP the hub itself says yes; null where it wants a person to be asked.
 */
export async function allowByRule(
  context: Context,
  hub: HubApi,
  { action, command }: Plan,
  rule: NonNullable<Plan['decision']['allowedBy']>,
): Promise<Request | null> {
  const { run, name } = agentContext(context)
  const { id: ruleId, by } = 'id' in rule ? rule : { id: 'a rule', by: 'a rule' }
  const agent = { name: name ?? 'shell', cwd: context.cwd }
  const { id } = await hub.raise({ kind: 'approval', takeUp: isRemote(context), run, agent, action })
  if (!isRemote(context)) await hub.answer(id, { value: 'yes', by, channel: 'rule', note: `allowed by ${ruleId}` })
  else if (!(await isGranted(hub, id, ruleId))) return null
  return (await hub.use(id, { digest: action.digest, executed: command })).request
}

function isRemote({ env }: Context): boolean {
  return Boolean(env.BECKON_URL)
}

async function isGranted(hub: HubApi, id: string, rule: string): Promise<boolean> {
  try {
    const { won, replay } = await hub.allowByRule(id, rule)
    return won || replay
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'not_granted') return false
    throw error
  }
}
