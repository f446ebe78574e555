import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { promptPerson } from '../../terminal/prompt.ts'
import type { Context } from '../context.ts'

export interface Here {
  signal: AbortSignal
  /** Lines instead of frames. */
  plain?: boolean | undefined
}

/**
 * Asks the person at this terminal while the request can be answered from elsewhere, too. Whoever is first: when it is
 * settled elsewhere, the prompt closes by itself. Null when the person, or the signal, left it open.
 */
export async function promptInTerminal(
  { stdin, stderr, env }: Context,
  hub: HubApi,
  request: Request,
  { signal, plain = false }: Here,
): Promise<Settlement | null> {
  const done = new AbortController()
  const closePrompt = new AbortController()
  const elsewhere = hub.wait(request.id, { signal: done.signal }).then(
    settled => {
      closePrompt.abort()
      return { won: false, replay: false, request: settled }
    },
    // Without it only the closing by itself is lost: what is entered here is still judged by the hub.
    () => null,
  )
  const terminal = { input: stdin, output: stderr, env }
  try {
    const end = await promptPerson(terminal, hub, request, {
      signal: AbortSignal.any([signal, closePrompt.signal]),
      plain,
    })
    if (typeof end !== 'string') return end
    return closePrompt.signal.aborted ? await elsewhere : null
  } finally {
    done.abort()
  }
}
