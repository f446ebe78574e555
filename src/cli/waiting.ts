import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { askHere, type Here } from './ask-here.ts'
import type { Context } from './context.ts'
import { describeOutcome } from './wording.ts'

export interface Waiting extends Here {
  /** Ask the person at this terminal, too. */
  here: boolean
  /** How long to wait where nobody is asked here. */
  patience: number
}

/** The request once it is settled, by whoever is first; still pending when we or the person here had to leave. */
export function waitFor(context: Context, hub: HubApi, request: Request, waiting: Waiting): Promise<Request> {
  if (request.status !== 'pending') return Promise.resolve(request)
  return waiting.here ? waitHere(context, hub, request, waiting) : waitAside(hub, request, waiting)
}

async function waitAside(hub: HubApi, request: Request, { patience, signal }: Waiting): Promise<Request> {
  try {
    return await hub.wait(request.id, { for: patience, signal })
  } catch (error) {
    if (signal.aborted) return request
    throw error
  }
}

async function waitHere(context: Context, hub: HubApi, request: Request, here: Here): Promise<Request> {
  const settlement = await askHere(context, hub, request, here)
  if (!settlement) return request
  if (!settlement.won && !settlement.replay) context.stderr.write(`${describeOutcome(settlement.request)}\n`)
  return settlement.request
}
