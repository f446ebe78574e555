import { setTimeout as delay } from 'node:timers/promises'
import type { HubApi } from '../../protocol/hub.ts'
import { isEnd } from '../../rules/run-status.ts'
import type { Ending } from '../context.ts'
import { followRun } from '../follow-run.ts'
import { retryWhileUnavailable } from '../retry.ts'

/** Marks a run whose process has ended as asleep. From here on, any process may wake it. */
export async function putToSleep(hub: HubApi, run: string): Promise<Ending> {
  const { status } = await retryWhileUnavailable(() => hub.runs.get(run))
  if (status === 'stopped') return { how: 'ended', code: 143 }
  if (status !== 'asleep') await retryWhileUnavailable(() => hub.runs.change(run, { status: 'asleep', pid: null }))
  // A request that was settled before the run counted as asleep woke nobody.
  const { waiting } = await retryWhileUnavailable(() => hub.runs.get(run))
  return { how: 'asleep', ready: waiting.length === 0 }
}

/** Waits until no request of a run is open (`ready`), `sleepAfter` has passed (`idle`), or the signal aborts (`stopped`). */
export async function waitUntilReady(
  hub: HubApi,
  run: string,
  sleepAfter: number | null,
  signal: AbortSignal,
): Promise<'ready' | 'idle' | 'stopped'> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    return await Promise.race([allSettled(), idle(), aborted()])
  } finally {
    over.abort()
  }

  function allSettled(): Promise<'ready' | 'stopped'> {
    return new Promise((resolve, reject) => {
      followRun(hub, run, until, async () => {
        const { waiting, status } = await retryWhileUnavailable(() => hub.runs.get(run))
        // Stopped by a person, or ended by whoever took it for lost.
        if (isEnd(status)) resolve('stopped')
        if (waiting.length === 0 && status === 'running') resolve('ready')
      }).catch(reject)
    })
  }

  async function idle(): Promise<'idle'> {
    if (sleepAfter === null) return new Promise<never>(() => {})
    await delay(sleepAfter, null, { signal: until }).catch(() => {})
    return 'idle'
  }

  function aborted(): Promise<'stopped'> {
    return new Promise(resolve => until.addEventListener('abort', () => resolve('stopped'), { once: true }))
  }
}
