import { setTimeout as sleep } from 'node:timers/promises'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Context } from '../context.ts'
import { type PromptOptions, promptInTerminal } from './prompt-in-terminal.ts'

export interface WaitOptions extends PromptOptions {
  /** Prompt the person at this terminal while waiting. */
  promptsHere: boolean
  /** How long to wait without a prompt, in milliseconds. */
  timeout: number
  /** The caller is the agent that asked: the wait also ends when a person asks back. */
  hears: boolean
}

// The longest that ending the processes of a run may take.
const endOfRun = 10_000

/** The settled request; or the pending one, when the time is up or the person at the prompt has left it open. */
export async function waitUntilSettled(
  context: Context,
  hub: HubApi,
  request: Request,
  options: WaitOptions,
): Promise<Request> {
  if (request.status !== 'pending') return request
  const settled = await (options.promptsHere ? prompt(context, hub, request, options) : wait(hub, request, options))
  if (settled.status === 'cancelled' && settled.run !== null)
    await waitForEndOfRun(context, hub, settled.run, options.signal)
  return settled
}

/**
 * Stopping a run withdraws its requests first and ends its processes then. A command of the run must not return to the
 * agent in between: it waits here until it is ended, too.
 */
async function waitForEndOfRun({ env }: Context, hub: HubApi, run: string, signal: AbortSignal): Promise<void> {
  if (env.BECKON_RUN !== run) return
  const { status } = await hub.runs.get(run).catch(() => ({ status: null }))
  if (status === 'stopped') await sleep(endOfRun, null, { signal }).catch(() => {})
}

async function wait(hub: HubApi, request: Request, { timeout, signal, hears }: WaitOptions): Promise<Request> {
  try {
    return await hub.wait(request.id, { for: timeout, signal, ...(hears ? { orMessage: true } : {}) })
  } catch (error) {
    if (signal.aborted) return request
    throw error
  }
}

async function prompt(context: Context, hub: HubApi, request: Request, options: PromptOptions): Promise<Request> {
  const settlement = await promptInTerminal(context, hub, request, options)
  return settlement?.request ?? request
}
