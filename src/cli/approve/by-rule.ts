import type { OwnRule } from '../../guard/index.ts'
import type { Request } from '../../protocol/request.ts'
import type { Rule } from '../../protocol/rule.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { withHub } from '../with-hub.ts'
import type { Plan } from './plan.ts'

/** A person's rule says yes in their place. It is a request like any other, so that there is a trail of every use. */
export function allowByRule(context: Context, { action, command }: Plan, rule: OwnRule | Rule): Promise<Request> {
  const { run, name } = agentContext(context)
  const { id: ruleId, by } = 'id' in rule ? rule : { id: 'a rule', by: 'a rule' }
  return withHub(context, async hub => {
    const agent = { name: name ?? 'shell', cwd: context.cwd }
    const { id } = await hub.raise({ kind: 'approval', run, agent, action })
    await hub.answer(id, { value: 'yes', by, channel: 'rule', note: `allowed by ${ruleId}` })
    return (await hub.use(id, { digest: action.digest, executed: command })).request
  })
}
