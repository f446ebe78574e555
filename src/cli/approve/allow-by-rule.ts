import type { Plan } from '../../approval/plan.ts'
import type { OwnRule } from '../../guard/index.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Rule } from '../../protocol/rule.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { withHub } from '../with-hub.ts'

/**
 * A person's rule says yes in their place. It is a request like any other, so that there is a trail of every use. Over HTTP
 * it is the hub that says yes; null where it would rather ask a person.
 */
export function allowByRule(
  context: Context,
  { action, command }: Plan,
  rule: OwnRule | Rule,
): Promise<Request | null> {
  const { run, name } = agentContext(context)
  const { id: ruleId, by } = 'id' in rule ? rule : { id: 'a rule', by: 'a rule' }
  return withHub(context, async hub => {
    const agent = { name: name ?? 'shell', cwd: context.cwd }
    const { id } = await hub.raise({ kind: 'approval', takeUp: isElsewhere(context), run, agent, action })
    if (!isElsewhere(context)) await hub.answer(id, { value: 'yes', by, channel: 'rule', note: `allowed by ${ruleId}` })
    else if (!(await isGranted(hub, id, ruleId))) return null
    return (await hub.use(id, { digest: action.digest, executed: command })).request
  })
}

function isElsewhere({ env }: Context): boolean {
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
