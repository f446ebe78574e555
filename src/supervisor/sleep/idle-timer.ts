import type { HubApi } from '../../protocol/hub.ts'

export type IdleTimer = ReturnType<typeof createIdleTimer>

/** Expires when a run has waited, and printed nothing, for `sleepAfter` milliseconds. */
export function createIdleTimer(hub: HubApi, run: string, sleepAfter: number | null) {
  let idleSince = performance.now()
  return { reset, hasExpired }

  function reset() {
    idleSince = performance.now()
  }

  /** By our own clock, since the run was first seen to wait: no one set this as a deadline. */
  async function hasExpired(waitsForBlock: boolean): Promise<boolean> {
    if (sleepAfter === null) return false
    if (!waitsForBlock && (await hub.runs.get(run)).waiting.length === 0) reset()
    return performance.now() - idleSince >= sleepAfter
  }
}
