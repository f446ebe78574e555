import type { Request } from '../../protocol/request.ts'
import { agentContext, isOwn } from '../agent-context.ts'
import { deliver, leave } from '../asking/deliver.ts'
import { waitFor } from '../asking/wait.ts'
import type { Context } from '../context.ts'
import { patienceOf } from '../durations.ts'
import { exitCodeOfRequest } from '../output/exit-codes.ts'
import { interruption } from '../signals.ts'
import { withHub } from '../with-hub.ts'
import { asQuestion, voice } from './reporter.ts'

/** Picks a wait up again by its ticket, and prints what the call itself would have printed. */
export async function waitOn(context: Context, id: string): Promise<number> {
  const patience = await patienceOf(context.env)
  const interrupted = interruption()
  return withHub(context, async hub => {
    const seen = asQuestion(await hub.get(id))
    const request = await waitFor(context, hub, seen, { here: false, patience, signal: interrupted.signal })
    if (request.status === 'pending') return leave(context, hub, request, { cancelOnExit: false, voice })
    // Somebody else's answer may be looked at; that it was taken is its asker's to say.
    const agent = agentContext(context)
    if (agent.sign !== null && !isOwn(request, agent, context.cwd)) return show(context, request)
    return deliver(context, hub, request, voice)
  }).finally(interrupted.release)
}

async function show(context: Context, request: Request): Promise<number> {
  await voice.printOutcome(context, request)
  return exitCodeOfRequest(request)
}
