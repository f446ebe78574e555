import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HubApi } from '../protocol/hub.ts'
import { settled } from '../protocol/status.ts'
import { wakeThoseReady } from '../wake-sleepers.ts'

const settling = new Set<string>(settled.map(status => `request.${status}`))
const tryAgainAfter = 1_000

/** As long as it serves: runs of this machine that sleep are woken once their answers are there, whoever gave them. */
export async function wakeRunsWhileServing(hub: HubApi, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const wake = () => wakeThoseReady(hub, hostname(), env)
  while (!signal.aborted) {
    try {
      const onReady = () => void wake().catch(() => {})
      for await (const { type, run } of hub.follow({ signal, onReady }))
        if (run !== null && settling.has(type)) await wake()
    } catch {
      await sleep(tryAgainAfter, null, { signal }).catch(() => {})
    }
  }
}
