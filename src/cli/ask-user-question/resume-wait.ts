import type { Request } from '../../protocol/request.ts'
import { agentContext, isOwn, isOwnToTalk } from '../agent-context.ts'
import { deliver, stopWaiting } from '../asking/deliver.ts'
import { waitUntilSettled } from '../asking/wait-until-settled.ts'
import type { Context } from '../context.ts'
import { waitLimit } from '../durations.ts'
import { interruption } from '../interruption.ts'
import { exitCodeOfRequest } from '../output/exit-codes.ts'
import { withHub } from '../with-hub.ts'
import { asQuestion, reporter } from './reporter.ts'

/** Waits again for the request of a ticket, and prints what the call itself would have printed. */
export async function resumeWait(context: Context, id: string): Promise<number> {
  const timeout = await waitLimit(context.env)
  const interrupted = interruption()
  const agent = agentContext(context)
  return withHub(context, async hub => {
    const seen = asQuestion(await hub.get(id))
    const hears = agent.marker !== null && (await isOwnToTalk(hub, seen, agent, context))
    const request = await waitUntilSettled(context, hub, seen, {
      promptsHere: false,
      timeout,
      hears,
      signal: interrupted.signal,
    })
    if (request.status === 'pending')
      return stopWaiting(context, hub, request, { cancelOnExit: false, hears, reporter })
    // An agent may see another asker's answer, but only the asker confirms its delivery.
    if (agent.marker !== null && !(await isOwn(hub, request, agent, context))) return show(context, request)
    return deliver(context, hub, request, reporter)
  }).finally(interrupted.release)
}

async function show(context: Context, request: Request): Promise<number> {
  await reporter.printOutcome(context, request)
  return exitCodeOfRequest(request)
}
