import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { HookHost } from './hook.ts'
import { watchEnd } from './host-process.ts'

const lookEvery = 1_000

export interface WaitOptions {
  /** Resolves when something hints that the host has its answer from somewhere else. */
  readonly answeredElsewhere?: ((signal: AbortSignal) => Promise<void>) | undefined
  /** Why the request is withdrawn when the hook's time is up; without a reason it stays open. */
  readonly withdrawnAtLimit?: string | undefined
}

/**
 * The settled request; the pending one when the hook's time is up; null when it was withdrawn, because the host ended
 * the hook or itself, or has its answer from somewhere else, or nobody may come back for it.
 */
export async function waitForPerson(
  hub: HubApi,
  request: Request,
  host: Pick<HookHost, 'parent' | 'signal' | 'wait'>,
  { answeredElsewhere = never, withdrawnAtLimit }: WaitOptions = {},
): Promise<Request | null> {
  if (request.status !== 'pending') return request
  const over = new AbortController()
  const ended = watchEnd(host.parent, lookEvery)
  const until = AbortSignal.any([host.signal, ended.signal, over.signal])
  try {
    const last = await Promise.race([
      hub.wait(request.id, { for: host.wait, signal: until }),
      answeredElsewhere(until).then(() => withdraw('It was answered in the terminal')),
    ])
    // What is not taken is not spent.
    if (host.signal.aborted || ended.signal.aborted) return null
    return last?.status === 'pending' && withdrawnAtLimit !== undefined ? await withdrawLate(withdrawnAtLimit) : last
  } catch (error) {
    if (host.signal.aborted) return withdraw('The agent no longer waits for it')
    if (ended.signal.aborted) return withdraw('The agent has ended')
    throw error
  } finally {
    ended.stop()
    over.abort()
  }

  /** A person may have been faster: then the answer stands, and nobody takes it. */
  async function withdraw(reason: string): Promise<null> {
    await hub.cancel(request.id, { reason })
    return null
  }

  /** The answer that came in the last moment, if there is one: the host still waits for us. */
  async function withdrawLate(reason: string): Promise<Request | null> {
    const { won, request: last } = await hub.cancel(request.id, { reason })
    return won ? null : last
  }
}

function never(): Promise<never> {
  return new Promise(() => {})
}
