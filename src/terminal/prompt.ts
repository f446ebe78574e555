import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { PromptEnd } from './submit.ts'
import { isRich, type Terminal } from './terminal.ts'
import { takeTurn } from './terminal-lock.ts'

export interface PromptOptions {
  signal: AbortSignal
  /** Lines instead of frames. */
  plain: boolean
}

/** Asks the person at this terminal, when it is our turn there, in the skin that fits it. */
export async function promptPerson(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  { signal, plain }: PromptOptions,
): Promise<PromptEnd> {
  const endTurn = await takeTurn(terminal, signal)
  if (!endTurn) return 'left'
  try {
    if (!plain && isRich(terminal)) {
      const { promptRich } = await import('./rich/prompt.ts')
      return await promptRich(terminal, hub, request, { signal })
    }
    const { promptPlain } = await import('./plain/prompt.ts')
    return await promptPlain(terminal, hub, request, signal)
  } finally {
    endTurn()
  }
}
