import { setTimeout as sleep } from 'node:timers/promises'
import { settlingEvents } from '../../protocol/event.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { recoverThoseAlone, wakeThoseReady } from '../../supervisor/recovery/wake-sleepers.ts'

const tryAgainAfter = 1_000
const lookAround = 5_000

/**
 * As long as it serves: runs of this machine that sleep are woken once their answers are there, whoever gave them; and
 * those whose supervisor is gone are taken over. A process of its own does it: what agents print is no burden here.
 */
export async function keepRunsWhileServing(hub: HubApi, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  await Promise.all([wakeWhatIsSettled(hub, env, signal), recoverNowAndThen(hub, env, signal)])
}

async function wakeWhatIsSettled(hub: HubApi, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { type, run } of hub.follow({ signal }))
        if (run !== null && settlingEvents.has(type)) await wakeThoseReady(hub, env)
    } catch {
      await sleep(tryAgainAfter, null, { signal }).catch(() => {})
    }
  }
}

/** Nobody announces that a process was killed. */
async function recoverNowAndThen(hub: HubApi, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wakeThoseReady(hub, env).catch(() => {})
    await recoverThoseAlone(hub, env).catch(() => {})
    await sleep(lookAround, null, { signal }).catch(() => {})
  }
}
