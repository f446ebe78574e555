import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'

type Handling = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'signal' | 'sendNotification'>
type Extra = Handling & { readonly closing: AbortSignal }

export interface WaitLimits {
  atMost: number
  /** The caller asked it, and takes what people ask back. */
  hears: boolean
}

const progressEvery = 10_000

/** Waits until the request is settled, a person asks back or the time is up, and tells a host that wants to know that it still waits. */
export async function waitWithProgress(
  hub: HubApi,
  request: Request,
  extra: Extra,
  { atMost, hears }: WaitLimits,
): Promise<Request> {
  if (request.status !== 'pending' || extra.signal.aborted) return request
  const progress = startProgress(request, extra)
  const signal = AbortSignal.any([extra.signal, extra.closing])
  try {
    return await hub.wait(request.id, { for: atMost, signal, orMessage: hears })
  } catch (error) {
    // The host has given up, or we end: the request stays open, and the same call joins it.
    if (signal.aborted) return request
    throw error
  } finally {
    clearInterval(progress)
  }
}

function startProgress({ id }: Request, { _meta, sendNotification }: Extra): NodeJS.Timeout | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return setInterval(() => {
    progress += 1
    const message = `${id} waits for a person.`
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {})
  }, progressEvery)
}
