import { useSyncExternalStore } from 'react'
import { serverTime } from '../server-time.ts'

// A slow clock for everything in the past, a fast one for what is about to happen. A clock runs only while something on
// the page uses it.
const slow = createClock(15_000)
const fast = createClock(1_000)

/** A moment closer than this is counted down by the second. */
const near = 90_000
/** A moment that passed this long ago no longer needs the fast clock. */
const over = 5_000

export function useNow(): number {
  return useSyncExternalStore(slow.subscribe, slow.now)
}

/** The current time, updated every second when the given moment is near. */
export function useNowUntil(at: string): number {
  const left = Date.parse(at) - useNow()
  const clock = left < near && left > -over ? fast : slow
  return useSyncExternalStore(clock.subscribe, clock.now)
}

function createClock(every: number) {
  let now = serverTime()
  let timer: ReturnType<typeof setInterval> | undefined
  const subscribers = new Set<() => void>()
  return { subscribe, now: () => now }

  function subscribe(onChange: () => void): () => void {
    subscribers.add(onChange)
    if (subscribers.size === 1) {
      tick()
      timer = setInterval(tick, every)
    }
    return () => {
      subscribers.delete(onChange)
      if (subscribers.size === 0) clearInterval(timer)
    }
  }

  function tick(): void {
    now = serverTime()
    for (const notify of subscribers) notify()
  }
}
