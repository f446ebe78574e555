import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { commandRules } from '../rules/command-rules.ts'
import type { BoundAction } from './action-digest.ts'
import { judgeAction } from './judge-action.ts'

/** A person's rule may settle a pending request at once. The hub decides whether it does, since it judges for itself. */
export async function allowByRule(
  hub: Pick<HubApi, 'rules' | 'allowByRule'>,
  request: Request,
  action: BoundAction,
  env: NodeJS.ProcessEnv,
): Promise<Request> {
  const rules = commandRules(await hub.rules.list())
  if (!rules.some(({ verdict }) => verdict === 'allow')) return request
  const { allowedBy } = judgeAction(action, { env, rules }, { asked: true })
  if (allowedBy === null || !('id' in allowedBy)) return request
  try {
    return (await hub.allowByRule(request.id, allowedBy.id)).request
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'not_granted') return request
    throw error
  }
}
