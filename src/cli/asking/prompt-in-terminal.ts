import { setTimeout as sleep } from 'node:timers/promises'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { promptPerson } from '../../terminal/prompt.ts'
import type { Context } from '../context.ts'
import { openKeyboard } from './keyboard.ts'

const aMoment = 200

export interface PromptOptions {
  signal: AbortSignal
  /** Prompt in plain lines. */
  plain?: boolean | undefined
  /** Read the keyboard of the terminal instead of stdin. */
  keyboard?: boolean | undefined
  /** Gets what was typed before the prompt was visible, which is not taken as an answer. */
  onEarly?: (text: string) => void
}

/**
 * Prompts the person at this terminal while others can answer from elsewhere; the first answer wins, and an answer from
 * elsewhere closes the prompt. Null when the person, or the signal, left the request open.
 */
export async function promptInTerminal(
  { stdin, stderr, env, now }: Context,
  hub: HubApi,
  request: Request,
  { signal, plain = false, keyboard = false, onEarly }: PromptOptions,
): Promise<Settlement | null> {
  const done = new AbortController()
  const closePrompt = new AbortController()
  const elsewhere = hub.wait(request.id, { signal: done.signal }).then(
    settled => {
      closePrompt.abort()
      return { won: false, replay: false, request: settled }
    },
    // When this wait fails, the prompt stays open; the hub still refuses an answer that comes second.
    () => null,
  )
  const opened = keyboard ? openKeyboard() : null
  const terminal = { input: opened ?? stdin, output: stderr, env }
  try {
    const end = await promptPerson(terminal, hub, request, {
      signal: AbortSignal.any([signal, closePrompt.signal]),
      plain,
      now,
      onEarly,
      settledElsewhere: async () => (await elsewhereNow())?.request ?? null,
    })
    return typeof end === 'string' ? await elsewhereNow() : end
  } finally {
    done.abort()
    opened?.destroy()
  }

  /** Where the caller closed the prompt because the request is settled, its outcome is here in a moment. */
  async function elsewhereNow(): Promise<Settlement | null> {
    if (closePrompt.signal.aborted) return elsewhere
    return signal.aborted ? Promise.race([elsewhere, sleep(aMoment, null)]) : null
  }
}
