import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import type { HookHost } from './hook.ts'
import { findHostProcess, watchEnd } from './host-process.ts'

const lookEvery = 1_000

/**
 * The settled request; the pending one when the hook's time is up; null when it was withdrawn, because the host ended
 * the hook or itself, or has its answer from somewhere else.
 */
export async function waitForPerson(
  hub: HubApi,
  request: Request,
  host: Pick<HookHost, 'signal' | 'wait'>,
  answeredElsewhere: (signal: AbortSignal) => Promise<void> = () => new Promise<never>(() => {}),
): Promise<Request | null> {
  if (request.status !== 'pending') return request
  const over = new AbortController()
  const ended = watchEnd(findHostProcess(), lookEvery)
  const until = AbortSignal.any([host.signal, ended.signal, over.signal])
  try {
    return await Promise.race([
      hub.wait(request.id, { for: host.wait, signal: until }),
      answeredElsewhere(until).then(() => withdraw('It was answered in the terminal')),
    ])
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
}
