import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HubApi } from '../../protocol/hub.ts'
import type { Run } from '../../protocol/run.ts'
import { homePath } from '../../system/home.ts'
import { isHeld } from '../../system/lock-file.ts'
import { runFolder } from '../folder.ts'
import { isAbandoned } from '../settings.ts'
import { isRunOfHome } from './abandoned-runs.ts'
import { recoveryLockFile, startRecovery } from './start-recovery.ts'
import { hasLostProcess } from './wake-command.ts'

// A run is unattended when it counts as running and its supervisor is gone: its agent may stand still, or have ended, and
// nobody notices. A person who looks, or answers, brings it back.

// A recovery process that runs already looks every 5 seconds.
const patience = 10_000
const lookEvery = 50

/** The runs of this machine that nobody looks after. */
export async function unattendedRuns(hub: HubApi, env: NodeJS.ProcessEnv): Promise<Run[]> {
  const home = homePath(env)
  const awake = await hub.runs.list({ awake: true, host: hostname() })
  if (awake.every(run => !isUnattended(home, run) && !hasLostProcess(home, run))) return []
  // In a shared hub, a pid may be a container's.
  const isShared = Boolean(env.BECKON_URL) || /^postgres(ql)?:/i.test(env.BECKON_DB ?? '')
  const local = isShared ? [] : await hub.runs.list({ awake: true, host: hostname(), local: true })
  const ours = new Set(local.map(({ id }) => id))
  return awake.filter(run => isUnattended(home, run) || (ours.has(run.id) && hasLostProcess(home, run)))
}

/** Whether the supervisor of a run is gone; false for a run of another machine or home. */
function isUnattended(home: string, { id, status, endedAt }: Run): boolean {
  return endedAt === null && status !== 'asleep' && isAbandoned(runFolder(home, id).path)
}

/** Whether nobody looks after a run whose folder is in this home. */
export function isLostHere(home: string, run: Run): boolean {
  return isRunOfHome(home, run.id) && isLost(home, run)
}

/** Starts a recovery process and waits until it has taken the runs over, or concluded them. Returns those that it has not. */
export async function takeOver(hub: HubApi, env: NodeJS.ProcessEnv, runs: readonly Run[]): Promise<Run[]> {
  if (runs.length === 0) return []
  const home = homePath(env)
  const recovery = await startRecovery(env)
  const deadline = performance.now() + patience
  for (;;) {
    // Asked first: what the recovery process did before it ended shows in the hub then.
    const isOver = performance.now() > deadline || (recovery?.exitCode !== null && !isHeld(recoveryLockFile(home)))
    const now = await Promise.all(runs.map(({ id }) => hub.runs.get(id)))
    if (isOver || now.every(run => !isStale(home, run))) return now.filter(run => isLost(home, run))
    await sleep(lookEvery)
  }
}

/** Whether the hub does not say the truth yet: a run whose agent has ended is about to be concluded. */
function isStale(home: string, run: Run): boolean {
  const isAwake = run.endedAt === null && run.status !== 'asleep'
  return isLost(home, run) || (isAwake && existsSync(join(runFolder(home, run.id).path, 'exit.json')))
}

function isLost(home: string, run: Run): boolean {
  return isUnattended(home, run) || (run.endedAt === null && run.status !== 'asleep' && hasLostProcess(home, run))
}
