import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { paint } from './paint.ts'
import { settledLine } from './settled-line.ts'
import type { PromptEnd } from './submit.ts'
import { columnsOf, hasColour, isRich, type Terminal } from './terminal.ts'
import { lockTerminal } from './terminal-lock.ts'

export interface PromptOptions {
  signal: AbortSignal
  /** Use plain lines instead of drawing frames. */
  plain: boolean
  now: () => number
  /** Gets what was typed before the prompt was visible, which is not taken as an answer. */
  onEarly?: ((text: string) => void) | undefined
  /** Resolves to what somebody else decided, if that closed the prompt. */
  settledElsewhere?: () => Promise<Request | null>
}

/** Prompts the person at this terminal, once no other prompt uses it, and leaves one line about how it ended. */
export async function promptPerson(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  options: PromptOptions,
): Promise<PromptEnd> {
  const unlock = await lockTerminal(terminal, options.signal)
  try {
    const end = unlock ? await prompt(terminal, hub, request, options) : 'left'
    const elsewhere = end === 'left' ? await options.settledElsewhere?.() : null
    const settled = typeof end === 'string' ? elsewhere : end.request
    // A prompt that was never visible leaves nothing open, but its caller relies on the line about an outcome.
    if (settled || unlock) leaveLine(terminal, settled ?? request, isOwn(end))
    return end
  } finally {
    unlock?.()
  }
}

async function prompt(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  { signal, plain, now, onEarly }: PromptOptions,
): Promise<PromptEnd> {
  if (!plain && isRich(terminal)) {
    const { promptRich } = await import('./rich/prompt.ts')
    return promptRich(terminal, hub, request, { signal, now, onEarly })
  }
  const { promptPlain } = await import('./plain/prompt.ts')
  return promptPlain(terminal, hub, request, { signal, now, onEarly })
}

function isOwn(end: PromptEnd): boolean {
  return typeof end !== 'string' && (end.won || end.replay)
}

function leaveLine(terminal: Terminal, request: Request, here: boolean): void {
  const colour = hasColour(terminal)
  for (const row of settledLine(request, columnsOf(terminal), { here }))
    terminal.output.write(`${paint(row, colour)}\n`)
}
