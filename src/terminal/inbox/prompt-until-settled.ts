import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { PromptEnd } from '../submit.ts'

/** How an opened request ended; `elsewhere` when somebody settled it while it was open here. */
export type OpenEnd = PromptEnd | { readonly elsewhere: Request }

/** Prompts for as long as the request waits: when it is settled elsewhere, the prompt is told to close. */
export async function whileItWaits(
  hub: HubApi,
  { id }: Request,
  signal: AbortSignal,
  prompt: (signal: AbortSignal) => Promise<Settlement | 'left' | 'folded'>,
): Promise<OpenEnd> {
  const done = new AbortController()
  const closing = new AbortController()
  let elsewhere: Request | null = null
  hub.wait(id, { signal: done.signal }).then(
    request => {
      elsewhere = request
      closing.abort()
    },
    // Without it only the closing by itself is lost: what is entered is still judged by the hub.
    () => {},
  )
  try {
    const end = await prompt(AbortSignal.any([signal, closing.signal]))
    return typeof end === 'string' && elsewhere ? { elsewhere } : end
  } finally {
    done.abort()
  }
}
