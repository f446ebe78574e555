import type { Context } from '../cli/context.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { ApprovalRequest } from '../protocol/request.ts'
import { type Plan, planFor } from './plan.ts'
import { projectRules } from './project-rules.ts'

/** What the guard and everybody's rules say to another command in the place of an action, as far as this machine knows it. */
export async function judge(
  context: Context,
  hub: Pick<HubApi, 'rules'>,
  { cwd }: ApprovalRequest['action'],
  command: string,
): Promise<Plan['decision']> {
  return planFor(context, [command], [...projectRules(cwd), ...(await hub.rules.list())], cwd).decision
}
