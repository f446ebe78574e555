import type { AgentEvent } from '../../agent/events.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { isLongReading } from '../../terminal/describe-request.ts'
import { agentContext } from '../agent-context.ts'
import { promptInTerminal } from '../asking/prompt-in-terminal.ts'
import type { Context } from '../context.ts'

export interface PromptOptions {
  readonly hub: HubApi
  /** Prompts in lines instead of frames. */
  readonly plain: boolean
  /** Clears the animated lines while a prompt is on the screen. `gap` leaves an empty line above it. */
  suspend(leaving?: { gap?: boolean }): void
  resume(): void
  say(text: string): void
  /** Gets what was typed before a prompt was visible. */
  onEarly?(text: string): void
  /** The person left a question open: the turn no longer waits for it. */
  onLeft(): void
}

/** Prompts for every question in this terminal, one after the other, until it is answered here or elsewhere. */
export function promptForQuestions(
  context: Context,
  { hub, plain, suspend, resume, say, onEarly, onLeft }: PromptOptions,
) {
  const isPersonHere = context.isTerminal && agentContext(context).marker === null
  let prompts: Promise<unknown> = Promise.resolve()
  const open = new Map<string, AbortController>()
  const prompted = new Set<string>()
  let shown = ''
  return { onEvent, onShown, watch, isPersonHere, idle: () => prompts, isTold, betweenPrompts }

  function onEvent(event: AgentEvent, signal: AbortSignal): void {
    if (event.type === 'settled' || event.type === 'askedBack') close(event.request.id)
    if (event.type === 'reply' && event.path.length === 1) onShown(event.text)
    if (event.type === 'asked') announce(withoutShown(event.request), signal, onLeft)
  }

  /** The reply that is on the screen right above. */
  function onShown(reply: string): void {
    shown = reply.trim()
  }

  /** Whether the transcript has a line about the request that says all that came of it. */
  function isTold(request: Request): boolean {
    return prompted.has(request.id) && saysAll(request)
  }

  /** Uses the terminal for something else; no prompt appears meanwhile. */
  function betweenPrompts(use: () => Promise<void>): Promise<void> {
    const used = prompts.then(async () => {
      suspend()
      await use().finally(resume)
    })
    prompts = used.catch(() => {})
    return used
  }

  /** Drops a context that repeats the reply right above. */
  function withoutShown(request: Request): Request {
    return request.context !== null && request.context === shown ? { ...request, context: null } : request
  }

  /** Prompts for what the agent's commands ask too, such as a secret; those commands wait for the answer themselves. */
  async function watch(run: string, conversation: string, turn: () => AbortSignal, signal: AbortSignal): Promise<void> {
    // Old questions that were deleted meanwhile need no prompt.
    for await (const event of hub.follow({ signal, onGap: () => {} })) {
      if (event.type !== 'request.created' || event.run !== run || event.request === null) continue
      const request = await hub.get(event.request)
      const isAgents = request.key?.startsWith(`${conversation}/`) || request.key?.startsWith(`${conversation}-`)
      if (request.status !== 'pending' || isAgents) continue
      announce(request, turn(), () => say(`The request stays open. Answer it with: beckon answer ${request.id}`))
    }
  }

  function announce(request: Request, signal: AbortSignal, onLeft: () => void): void {
    if (open.has(request.id)) return
    if (!isPersonHere) {
      say(`The agent asks a question. Answer it with: beckon answer ${request.id}`)
      return
    }
    const settled = new AbortController()
    open.set(request.id, settled)
    prompts = prompts
      .then(() => prompt(request, AbortSignal.any([signal, settled.signal]), onLeft))
      .finally(() => open.get(request.id) === settled && open.delete(request.id))
  }

  /** After it was asked back, the same question comes again with the agent's reply. */
  function close(id: string): void {
    open.get(id)?.abort()
    open.delete(id)
  }

  async function prompt(request: Request, signal: AbortSignal, onLeft: () => void): Promise<void> {
    if (signal.aborted) return
    prompted.add(request.id)
    // Long reading begins with an empty line of its own.
    suspend({ gap: !isLongReading(request) })
    try {
      const settlement = await promptInTerminal(context, hub, request, {
        signal,
        plain,
        ...(onEarly ? { onEarly } : {}),
      })
      if (!settlement && !signal.aborted) onLeft()
    } finally {
      resume()
    }
  }
}

/** Whether the settled line of a request says all that came of it: after a yes, the call runs and has a result of its own. */
export function saysAll({ kind, outcome }: Request): boolean {
  const isYes = outcome?.status === 'answered' && outcome.answers[0]?.selected[0] === 'yes'
  return kind === 'question' || !isYes
}
