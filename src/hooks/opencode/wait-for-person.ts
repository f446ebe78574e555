import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { HookHost } from '../hook.ts'

const watchEvery = 1_000

/**
 * Waits until the request is settled, or as long as the host lets us. When the plugin ends this process, because it was
 * answered in opencode, or when opencode is gone, the request is withdrawn: nothing stays open that nobody waits for.
 */
export async function waitForPerson(hub: HubApi, raised: Request, pid: number, host: HookHost): Promise<Request> {
  const gone = new AbortController()
  const watch = setInterval(() => isAlive(pid) || gone.abort(), watchEvery)
  const signal = AbortSignal.any([host.signal, gone.signal])
  try {
    return await hub.wait(raised.id, { for: host.wait, signal })
  } catch (error) {
    if (!signal.aborted) throw error
    const reason = gone.signal.aborted
      ? 'opencode has ended.'
      : 'It was answered in opencode, or is not needed any more.'
    await hub.cancel(raised.id, { reason })
    throw new Error('It was withdrawn.')
  } finally {
    clearInterval(watch)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
