import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { PromptEnd } from '../submit.ts'

/** How an opened request ended; `settledElsewhere` if somebody settled it while it was open here. */
export type OpenEnd = PromptEnd | { readonly settledElsewhere: Request }

/** Runs a prompt and aborts it when the request is settled elsewhere. */
export async function promptUntilSettled(
  hub: HubApi,
  { id }: Request,
  signal: AbortSignal,
  prompt: (signal: AbortSignal) => Promise<Settlement | 'left' | 'folded'>,
): Promise<OpenEnd> {
  const done = new AbortController()
  const closing = new AbortController()
  let settledElsewhere: Request | null = null
  hub.wait(id, { signal: done.signal }).then(
    request => {
      settledElsewhere = request
      closing.abort()
    },
    // If waiting fails, the prompt just does not close on its own: the hub still checks what is entered.
    () => {},
  )
  try {
    const end = await prompt(AbortSignal.any([signal, closing.signal]))
    return typeof end === 'string' && settledElsewhere ? { settledElsewhere } : end
  } finally {
    done.abort()
  }
}
