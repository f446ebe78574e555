import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { CallPlan } from './plan-call.ts'

/** Stores the request of a call, or takes up the one that this very call raised before. A person's rule may settle it at once. */
export async function raiseCall(hub: HubApi, { ask, rule }: Pick<CallPlan, 'ask' | 'rule'>): Promise<Request> {
  const raised = await hub.raise(ask)
  if (rule === null || raised.status !== 'pending') return raised
  try {
    return (await hub.allowByRule(raised.id, rule)).request
  } catch (error) {
    // The hub judges for itself: then a person is asked.
    if (error instanceof BeckonError && error.code === 'not_granted') return raised
    throw error
  }
}
