import { setTimeout as sleep } from 'node:timers/promises'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Context } from '../context.ts'
import { describeOutcome } from '../output/describe-outcome.ts'
import { type Here, promptInTerminal } from './prompt-in-terminal.ts'

export interface Waiting extends Here {
  /** Ask the person at this terminal, too. */
  here: boolean
  /** How long to wait where nobody is asked here. */
  patience: number
}

// As long as it may take to end the processes of a run.
const endOfRun = 10_000

/** The request once it is settled, by whoever is first; still pending when we or the person here had to leave. */
export async function waitUntilSettled(
  context: Context,
  hub: HubApi,
  request: Request,
  waiting: Waiting,
): Promise<Request> {
  if (request.status !== 'pending') return request
  const settled = await (waiting.here ? waitHere(context, hub, request, waiting) : waitAside(hub, request, waiting))
  if (settled.status === 'cancelled' && settled.run !== null)
    await standStill(context, hub, settled.run, waiting.signal)
  return settled
}

/**
 * A run that was stopped has its requests withdrawn first and its processes ended then. Whoever asked in it must not
 * go on in between: it waits for its end.
 */
async function standStill({ env }: Context, hub: HubApi, run: string, signal: AbortSignal): Promise<void> {
  if (env.BECKON_RUN !== run) return
  const { status } = await hub.runs.get(run).catch(() => ({ status: null }))
  if (status === 'stopped') await sleep(endOfRun, null, { signal }).catch(() => {})
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
  const settlement = await promptInTerminal(context, hub, request, here)
  if (!settlement) return request
  if (!settlement.won && !settlement.replay) context.stderr.write(`${describeOutcome(settlement.request)}\n`)
  return settlement.request
}
