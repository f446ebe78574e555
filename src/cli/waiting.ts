import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { askHere } from './ask-here.ts'
import type { Context } from './context.ts'
import { describeOutcome } from './wording.ts'

export interface Waiting {
  /** Ask the person at this terminal, too. */
  here: boolean
  /** How long to wait where nobody is asked here. */
  patience: number
  /** Say whom we wait for after a while. */
  announce?: boolean
  signal: AbortSignal
}

/** The request once it is settled, by whoever is first; still pending when we or the person here had to leave. */
export function waitFor(context: Context, hub: HubApi, request: Request, waiting: Waiting): Promise<Request> {
  if (request.status !== 'pending') return Promise.resolve(request)
  return waiting.here ? waitHere(context, hub, request, waiting.signal) : waitAside(context, hub, request, waiting)
}

const announceAfter = 2_000

async function waitAside(context: Context, hub: HubApi, request: Request, waiting: Waiting): Promise<Request> {
  const { patience, announce = false, signal } = waiting
  const announcement = setTimeout(() => {
    if (announce) context.stderr.write(`beckon: waiting for a person; they answer with: beckon answer ${request.id}\n`)
  }, announceAfter)
  try {
    return await hub.wait(request.id, { for: patience, signal })
  } catch (error) {
    if (signal.aborted) return request
    throw error
  } finally {
    clearTimeout(announcement)
  }
}

async function waitHere(context: Context, hub: HubApi, request: Request, signal: AbortSignal): Promise<Request> {
  const settlement = await askHere(context, hub, request, signal)
  if (!settlement) return request
  if (!settlement.won && !settlement.replay) context.stderr.write(`${describeOutcome(settlement.request)}\n`)
  return settlement.request
}
