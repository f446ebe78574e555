import type { HubApi } from '../../protocol/hub.ts'

/** Knows when a run has waited for so long, and printed nothing meanwhile, that it may as well sleep. */
export function createSleepiness(hub: HubApi, run: string, sleepAfter: number | null) {
  let stillSince = performance.now()
  return { stir, check }

  function stir() {
    stillSince = performance.now()
  }

  /** By our own clock, since the run was first seen to wait: it is not a deadline of anybody. */
  async function check(waitsForBlock: boolean): Promise<boolean> {
    if (sleepAfter === null) return false
    if (!waitsForBlock && (await hub.runs.get(run)).waiting.length === 0) stir()
    return performance.now() - stillSince >= sleepAfter
  }
}
