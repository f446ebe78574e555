/** The time of a hub under test. It stands still until the test moves it. */
export interface ManualClock {
  now(): number
  moveTo(time: number): void
  /** When the next sleeper wakes; null where nobody sleeps. */
  nextWaking(): number | null
  /** Sleeps by this clock. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<null>
}

export function createManualClock(start: number): ManualClock {
  let now = start
  const sleepers = new Map<object, { at: number; wake(): void }>()
  return {
    now: () => now,
    moveTo(time) {
      now = Math.max(now, time)
      for (const [sleeper, { at, wake }] of [...sleepers]) {
        if (at > now) continue
        sleepers.delete(sleeper)
        wake()
      }
    },
    nextWaking: () => (sleepers.size === 0 ? null : Math.min(...[...sleepers.values()].map(({ at }) => at))),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = {}
        sleepers.set(sleeper, { at: now + milliseconds, wake: () => resolve(null) })
        if (milliseconds <= 0) resolve(null)
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        })
      }),
  }
}
