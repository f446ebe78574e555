import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { PromptEnd } from './submit.ts'
import { isRich, type Terminal } from './terminal.ts'
import { lockTerminal } from './terminal-lock.ts'

export interface PromptOptions {
  signal: AbortSignal
  /** Use plain lines instead of drawing frames. */
  plain: boolean
  now: () => number
  /** Gets what was typed before the prompt was visible, which is not taken as an answer. */
  onEarly?: ((text: string) => void) | undefined
}

/** Prompts the person at this terminal, once no other prompt uses it. */
export async function promptPerson(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  { signal, plain, now, onEarly }: PromptOptions,
): Promise<PromptEnd> {
  const unlock = await lockTerminal(terminal, signal)
  if (!unlock) return 'left'
  try {
    if (!plain && isRich(terminal)) {
      const { promptRich } = await import('./rich/prompt.ts')
      return await promptRich(terminal, hub, request, { signal, now, onEarly })
    }
    const { promptPlain } = await import('./plain/prompt.ts')
    return await promptPlain(terminal, hub, request, { signal, now, onEarly })
  } finally {
    unlock()
  }
}
