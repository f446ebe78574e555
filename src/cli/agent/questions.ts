import type { AgentEvent } from '../../agent/events.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { agentContext } from '../agent-context.ts'
import { promptInTerminal } from '../asking/prompt-in-terminal.ts'
import type { Context } from '../context.ts'
import { describeOutcome } from '../output/describe-outcome.ts'

export interface Desk {
  readonly hub: HubApi
  /** Lines instead of frames. */
  readonly plain: boolean
  /** Takes what moves off the screen while a prompt is there. */
  suspend(): void
  resume(): void
  say(text: string): void
  /** The person left a question open: the turn is not to wait for it any longer. */
  onLeft(): void
}

/** Prompts for every question here, one after the other, for as long as it is not answered elsewhere. */
export function promptForQuestions(context: Context, { hub, plain, suspend, resume, say, onLeft }: Desk) {
  const isPersonHere = context.isTerminal && agentContext(context).marker === null
  let prompts: Promise<unknown> = Promise.resolve()
  const open = new Map<string, AbortController>()
  let shown = ''
  return { onEvent, watch, isPersonHere, idle: () => prompts }

  function onEvent(event: AgentEvent, signal: AbortSignal): void {
    if (event.type === 'settled') open.get(event.request.id)?.abort()
    if (event.type === 'reply' && event.path.length === 1) shown = event.text.trim()
    if (event.type === 'asked') announce(withoutShown(event.request), signal, onLeft)
  }

  /** What the agent said just now stands right above. */
  function withoutShown(request: Request): Request {
    return request.context !== null && request.context === shown ? { ...request, context: null } : request
  }

  /** What the commands that the agent runs ask for, a secret perhaps: they wait by themselves, and are answered here, too. */
  async function watch(run: string, conversation: string, turn: () => AbortSignal, signal: AbortSignal): Promise<void> {
    for await (const event of hub.follow({ signal })) {
      if (event.type !== 'request.created' || event.run !== run || event.request === null) continue
      const request = await hub.get(event.request)
      const isAgents = request.key?.startsWith(`${conversation}/`) || request.key?.startsWith(`${conversation}-`)
      if (request.status !== 'pending' || isAgents) continue
      announce(request, turn(), () => say(`It stays open: beckon answer ${request.id}`))
    }
  }

  function announce(request: Request, signal: AbortSignal, onLeft: () => void): void {
    if (open.has(request.id)) return
    if (!isPersonHere) {
      say(`The agent asks; it is answered with: beckon answer ${request.id}`)
      return
    }
    const settled = new AbortController()
    open.set(request.id, settled)
    prompts = prompts
      .then(() => prompt(request, AbortSignal.any([signal, settled.signal]), onLeft))
      .finally(() => open.delete(request.id))
  }

  async function prompt(request: Request, signal: AbortSignal, onLeft: () => void): Promise<void> {
    if (signal.aborted) return
    suspend()
    try {
      const settlement = await promptInTerminal(context, hub, request, { signal, plain })
      if (settlement && !settlement.won && !settlement.replay) say(describeOutcome(settlement.request))
      if (!settlement && !signal.aborted) onLeft()
    } finally {
      resume()
    }
  }
}
