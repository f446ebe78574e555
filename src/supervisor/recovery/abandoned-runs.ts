import { existsSync, readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { HubApi } from '../../protocol/hub.ts'
import { runFolder } from '../folder.ts'
import { socketOf } from '../holder/address.ts'
import { isAbandoned } from '../settings.ts'
import { hasLostProcess } from './wake-command.ts'

/** Runs with a holder, or the socket of one that was killed, and without a supervisor, whatever their status in the hub. */
export function findAbandonedRuns(home: string): string[] {
  return runsIn(home).filter(run => {
    const { path } = runFolder(home, run)
    return existsSync(socketOf(path)) && isAbandoned(path)
  })
}

/** Whether a run of this machine lost its supervisor, or left processes behind when it ended. */
export async function hasAbandonedRuns(hub: HubApi, home: string): Promise<boolean> {
  for (const id of findAbandonedRuns(home)) {
    const run = await hub.runs.get(id).catch(() => null)
    if (run && run.endedAt !== null) return true
  }
  const awake = await hub.runs.list({ awake: true, host: hostname() })
  if (awake.some(({ id }) => isAbandoned(runFolder(home, id).path))) return true
  // A pid of another home may be a container's.
  const local = await hub.runs.list({ awake: true, host: hostname(), local: true })
  return local.some(run => isRunOfHome(home, run.id) && hasLostProcess(home, run))
}

/** Whether the folder of a run is in this home. */
export function isRunOfHome(home: string, run: string): boolean {
  return existsSync(runFolder(home, run).path)
}

function runsIn(home: string): string[] {
  try {
    return readdirSync(join(home, 'runs'))
  } catch {
    return []
  }
}
