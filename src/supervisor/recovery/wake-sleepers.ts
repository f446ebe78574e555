import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { settlingEvents } from '../../protocol/event.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { homePath } from '../../system/home.ts'

// A run asleep on this machine wakes when its last open request settles, and the built-in agent also when it is asked back. Three occasions tell us: a request that settles
// through a hub of this process, a command that is about to close its hub, and, while a server runs, every event of the
// hub. Each starts the recovery process, which does the waking; a second one finds the first and ends.

const retryAfter = 1_000
const checkEvery = 5_000

/** For a hub of this process: wakes the run of a request that it has just settled, or takes it over where its supervisor died. */
export async function wakeRunOf({ run }: Request, hub: HubApi, env: NodeJS.ProcessEnv): Promise<void> {
  // The request is settled even if this fails: any later hub on the machine wakes the run too.
  if (run !== null) await wakeRun(run, hub, env).catch(() => {})
}

async function wakeRun(id: string, hub: HubApi, env: NodeJS.ProcessEnv): Promise<void> {
  const run = await hub.runs.get(id)
  if (run.status === 'asleep') await wakeReadyRuns(hub, env)
  if (run.host !== hostname() || run.status === 'asleep') return
  const { isLostHere } = await import('./unattended.ts')
  if (isLostHere(homePath(env), run)) await recover(env)
}

/** Wakes the runs of this machine whose requests were settled where nobody could wake them. */
export async function wakeReadyRuns(hub: HubApi, env: NodeJS.ProcessEnv): Promise<void> {
  const ready = { ready: true, host: hostname() }
  // A run over HTTP names its host itself: it is of this machine only if its folder is here.
  const runs = await hub.runs.list(ready)
  if (runs.length === 0) return
  const { isRunOfHome } = await import('./abandoned-runs.ts')
  const isHere = runs.some(({ id }) => isRunOfHome(homePath(env), id))
  if (isHere || (await hub.runs.list({ ...ready, local: true, limit: 1 })).length > 0) await recover(env)
}

/**
 * For a server: wakes runs as requests settle, wherever that happens, and recovers abandoned runs. The recovery process
 * does the work, so that the output of agents does not load the server.
 */
export async function watchRuns(hub: HubApi, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  await Promise.all([wakeAsRequestsSettle(hub, env, signal), checkNowAndThen(hub, env, signal)])
}

async function wakeAsRequestsSettle(hub: HubApi, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { type, run } of hub.follow({ signal })) {
        const mayBeReady = settlingEvents.has(type) || type === 'request.message'
        if (run !== null && mayBeReady) await wakeReadyRuns(hub, env)
      }
    } catch {
      await sleep(retryAfter, null, { signal }).catch(() => {})
    }
  }
}

/** No event says that a process was killed. */
async function checkNowAndThen(hub: HubApi, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const { hasAbandonedRuns } = await import('./abandoned-runs.ts')
  while (!signal.aborted) {
    await wakeReadyRuns(hub, env).catch(() => {})
    if (await hasAbandonedRuns(hub, homePath(env)).catch(() => false)) await recover(env)
    await sleep(checkEvery, null, { signal }).catch(() => {})
  }
}

/** Loaded only when there is a run to wake: most commands have none. */
async function recover(env: NodeJS.ProcessEnv): Promise<void> {
  const { startRecovery } = await import('./start-recovery.ts')
  await startRecovery(env)
}
