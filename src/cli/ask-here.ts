import type { HubApi, Settlement } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { Context } from './context.ts'
import { converse } from './converse.ts'

/**
 * Asks the person at this terminal while the request can be answered from elsewhere, too. Whoever is first: when it is
 * settled elsewhere, the prompt closes by itself. Null when the person, or the signal, left it open.
 */
export async function askHere(
  context: Context,
  hub: HubApi,
  request: Request,
  signal: AbortSignal,
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
  try {
    const settlement = await converse(context, hub, request, AbortSignal.any([signal, closePrompt.signal]))
    return settlement ?? (closePrompt.signal.aborted ? await elsewhere : null)
  } finally {
    done.abort()
  }
}
