import { useSyncExternalStore } from 'react'
import { serverTime } from '../server-time.ts'

// One clock for all that shows how long ago something was, another for what is about to happen; neither runs while nobody
// looks at it.
const slow = clockOf(15_000)
const fast = clockOf(1_000)

/** What is nearer than this is counted by the second. */
const near = 90_000
/** What is over stays so. */
const over = 5_000

export function useNow(): number {
  return useSyncExternalStore(slow.watch, slow.now)
}

/** Now, by a clock that is as fast as the nearness of this moment asks for. */
export function useNowBefore(at: string): number {
  const left = Date.parse(at) - useNow()
  const clock = left < near && left > -over ? fast : slow
  return useSyncExternalStore(clock.watch, clock.now)
}

function clockOf(every: number) {
  let now = serverTime()
  let timer: ReturnType<typeof setInterval> | undefined
  const watchers = new Set<() => void>()
  return { watch, now: () => now }

  function watch(changed: () => void): () => void {
    watchers.add(changed)
    if (watchers.size === 1) {
      tick()
      timer = setInterval(tick, every)
    }
    return () => {
      watchers.delete(changed)
      if (watchers.size === 0) clearInterval(timer)
    }
  }

  function tick(): void {
    now = serverTime()
    for (const tell of watchers) tell()
  }
}
