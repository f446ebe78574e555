import type { Plan } from '../../approval/plan.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'

/**
 * A person's rule says yes in their place. The hub decides whether it does; it is stored as a request like any other,
 * so that every use leaves a trail. Null where the hub wants a person to be asked.
 */
export async function allowByRule(
  context: Context,
  hub: HubApi,
  { action, command, digest }: Plan,
  rule: NonNullable<Plan['decision']['allowedBy']>,
): Promise<Request | null> {
  if (!('id' in rule)) return null
  const { run, name, session, sessionName } = agentContext(context)
  const agent = { name: name ?? 'shell', cwd: context.cwd }
  const { id } = await hub.raise({ kind: 'approval', run, agent, session: sessionName, action, call: callOf(session) })
  if (!(await isGranted(hub, id, rule.id))) {
    // A person is asked next, with everything that the command line says about it.
    await hub.cancel(id, { reason: `${rule.id} does not cover it` })
    return null
  }
  return (await hub.use(id, { digest, executed: command })).request
}

/** A command is a call without an id: the same words again in the same session are the same call. */
export function callOf(session: string | null) {
  return session === null ? null : { session, id: null }
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
