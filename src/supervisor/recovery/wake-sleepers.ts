import { spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import { homeOf } from '../../system/home.ts'
import { programFile } from '../../system/programs.ts'

/** Whoever settles the last open request of a run that sleeps on this machine has it woken. */
export function wakingSleepers<Hub extends HubApi>(hub: Hub, host: string, env: NodeJS.ProcessEnv): Hub {
  const { answer, skip, decline, cancel } = hub
  return {
    ...hub,
    answer: async (...args) => wakeAfter(await answer(...args)),
    skip: async (...args) => wakeAfter(await skip(...args)),
    decline: async (...args) => wakeAfter(await decline(...args)),
    cancel: async (...args) => wakeAfter(await cancel(...args)),
  }

  async function wakeAfter(settlement: Settlement): Promise<Settlement> {
    const { won, request } = settlement
    if (!won || request.run === null) return settlement
    // It is settled, whatever becomes of the waking: any later hub on the machine wakes it, too.
    const run = await hub.runs.get(request.run).catch(() => null)
    if (run?.status === 'asleep' && run.waiting.length === 0 && run.host === host) await startKeeper(env)
    return settlement
  }
}

/** Runs of this machine that sleep although all was answered: whoever answered could not wake them. */
export async function wakeThoseReady(hub: HubApi, env: NodeJS.ProcessEnv): Promise<void> {
  const ready = await hub.runs.list({ ready: true, host: hostname(), limit: 1 })
  if (ready.length > 0) await startKeeper(env)
}

/** Runs of this machine that are under way, and whose supervisor is gone; and what others have left behind. */
export async function recoverThoseAlone(hub: HubApi, env: NodeJS.ProcessEnv): Promise<void> {
  const { isAlone } = await import('../settings.ts')
  const { leftBehind } = await import('./abandoned-runs.ts')
  const { runFolder } = await import('../folder.ts')
  const home = homeOf(env)
  for (const id of leftBehind(home)) {
    const run = await hub.runs.get(id).catch(() => null)
    if (run && run.endedAt !== null) return startKeeper(env)
  }
  const awake = await hub.runs.list({ awake: true, host: hostname() })
  if (awake.some(({ id }) => isAlone(runFolder(home, id).path))) await startKeeper(env)
}

// Signs of an agent's shell: what is woken belongs to no agent that happens to be around.
const notOurs = ['BECKON_RUN', 'BECKON_ANSWERS', 'BECKON_NONCE']

/** A run has gone to sleep here, and is answered elsewhere: somebody has to be here then. */
export async function watchOverSleepers(env: NodeJS.ProcessEnv): Promise<void> {
  await startKeeper(env)
}

/** A process of its own that brings back what can come back. One is enough, and the one that is there hears of it. */
async function startKeeper(env: NodeJS.ProcessEnv): Promise<void> {
  const { isHeld } = await import('../../system/lock-file.ts')
  if (isHeld(join(homeOf(env), 'keeper'))) return
  const kept = Object.entries({ ...process.env, ...env }).filter(([name]) => !notOurs.includes(name))
  const args = [programFile('beckon.js'), 'run', '--recover']
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', env: Object.fromEntries(kept) })
  child.on('error', () => {})
  child.unref()
}
