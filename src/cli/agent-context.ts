import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Run } from '../protocol/run.ts'
import { type AgentContext, agentContext as contextOf } from '../system/agent-context.ts'
import { isInsideRun } from '../system/processes/ancestors.ts'
import type { Context } from './context.ts'

/** Whether an agent runs this command. */
export function agentContext({ env }: Pick<Context, 'env'>): AgentContext {
  return contextOf(env)
}

/**
 * An agent's own requests: those of the run that it works in, which its descent tells and not its environment; outside of
 * any run, those that it asked in this directory, and approvals only in the same session.
 */
export async function isOwn(hub: HubApi, request: Request, agent: AgentContext, context: Context): Promise<boolean> {
  if (request.run === null) {
    const session = request.kind === 'approval' ? (request.call?.session ?? null) : null
    if (session !== null && session !== agent.session) return false
    return agent.run === null && request.agent.cwd === context.cwd && request.agent.name === agent.name
  }
  if (hasAskToken(context)) return true
  const run = await findRun(hub, request.run)
  return run !== null && isInsideRun(run)
}

/** Whose messages it may take and write: the same, and what the same session asked in another directory. */
export async function isOwnToTalk(
  hub: HubApi,
  request: Request,
  agent: AgentContext,
  context: Context,
): Promise<boolean> {
  const isSameSession = Boolean(request.session) && request.session === agent.sessionName
  return isOwn(hub, request, agent, isSameSession ? { ...context, cwd: request.agent.cwd } : context)
}

/** The server shows such a token nothing but its own, also in a container that does not see the run's processes. */
function hasAskToken({ env }: Context): boolean {
  return Boolean(env.BECKON_URL && env.BECKON_TOKEN?.startsWith('beckon_ask_'))
}

async function findRun(hub: HubApi, id: string): Promise<Run | null> {
  return hub.runs.get(id).catch(error => {
    if (error instanceof BeckonError && ['not_found', 'not_allowed'].includes(error.code)) return null
    throw error
  })
}
