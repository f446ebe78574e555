import { setTimeout as delay } from 'node:timers/promises'
import type { HubApi } from '../../protocol/hub.ts'
import type { Ending } from '../context.ts'
import { heedRun } from '../follow-run.ts'
import { patiently } from '../retry.ts'

/** Says that a run sleeps, whose process has ended. From here on, anybody may wake it. */
export async function putToSleep(hub: HubApi, run: string): Promise<Ending> {
  const { status } = await patiently(() => hub.runs.get(run))
  if (status === 'stopped') return { how: 'ended', code: 143 }
  if (status !== 'asleep') await patiently(() => hub.runs.change(run, { status: 'asleep', pid: null }))
  // Whoever settled the last request before it was said has woken nobody.
  const { waiting } = await patiently(() => hub.runs.get(run))
  return { how: 'asleep', ready: waiting.length === 0 }
}

/** Waits until nothing of a run is open any more: `ready`; or for so long that it may sleep; or until the signal. */
export async function untilReady(
  hub: HubApi,
  run: string,
  sleepAfter: number | null,
  signal: AbortSignal,
): Promise<'ready' | 'sleepy' | 'stopped'> {
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    return await Promise.race([allSettled(), sleepy(), told()])
  } finally {
    over.abort()
  }

  function allSettled(): Promise<'ready' | 'stopped'> {
    return new Promise(resolve => {
      void heedRun(hub, run, until, async () => {
        const { waiting, status } = await patiently(() => hub.runs.get(run))
        if (status === 'stopped') resolve('stopped')
        if (waiting.length === 0 && status === 'running') resolve('ready')
      })
    })
  }

  async function sleepy(): Promise<'sleepy'> {
    if (sleepAfter === null) return new Promise<never>(() => {})
    await delay(sleepAfter, null, { signal: until }).catch(() => {})
    return 'sleepy'
  }

  function told(): Promise<'stopped'> {
    return new Promise(resolve => until.addEventListener('abort', () => resolve('stopped'), { once: true }))
  }
}
