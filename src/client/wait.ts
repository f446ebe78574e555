import type { Message, Request, WaitOptions } from '../protocol/index.ts'
import { operation } from '../protocol/operations/index.ts'
import { mayRetry, pauseAfter, sleep } from './connection.ts'
import type { RemoteOperations } from './remote-operations.ts'

// Shorter than the time after which proxies cut a call off.
const longestCall = 50_000
const firstPause = 100
const longestPause = 5_000

/** Waits in several calls, each short enough for proxies, across restarts of the server. */
export async function waitFor(
  closed: AbortSignal,
  { callEntry }: Pick<RemoteOperations, 'callEntry'>,
  id: string,
  { for: patience, signal, orMessage = false }: WaitOptions,
): Promise<Request> {
  const giveUpAt = patience === undefined ? Number.POSITIVE_INFINITY : performance.now() + patience
  const until = patience === undefined ? null : Date.now() + patience
  const over = signal ? AbortSignal.any([signal, closed]) : closed
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const left = Math.max(0, giveUpAt - performance.now())
    try {
      const wait = Math.min(left, longestCall) / 1_000
      const query = { wait, ...(orMessage ? { orMessage } : {}) }
      const request = (await callEntry(operation.get, [id, query], { signal, until })) as Request
      if (request.status !== 'pending' || performance.now() >= giveUpAt) return request
      if (orMessage && (await hasUnheard(request))) return request
      pause = firstPause
    } catch (error) {
      if (over.aborted) throw over.reason
      if (!mayRetry(error) || performance.now() >= giveUpAt) throw error
      await sleep(Math.min(pauseAfter(error, pause), Math.max(0, giveUpAt - performance.now())), over)
    }
  }

  /** Only where people wrote something: a call that came back without is one that took as long as it may. */
  async function hasUnheard({ messages }: Request): Promise<boolean> {
    if (!messages.some(({ from }) => from === 'person')) return false
    const unheard = (await callEntry(operation['messages.unheard'], [id], { signal })) as Message[]
    return unheard.length > 0
  }
}
