import type { HubApi, LogsApi } from '../../protocol/hub.ts'
import { runEnds } from '../../protocol/status.ts'

/** Reads the log of a run where it is: in this home, or in the hub if the run is on another machine. */
export async function logReader(env: NodeJS.ProcessEnv, hub: HubApi): Promise<LogsApi['read']> {
  const { createLocalRunLogs } = await import('../../supervisor/log/local-run-logs.ts')
  const { homePath } = await import('../../system/home.ts')
  const local = createLocalRunLogs(homePath(env))
  return async (run, options = {}) => {
    if (!local.has(run)) return hub.logs.read(run, options)
    const { status } = await hub.runs.get(run)
    return local.read(run, { ...options, ended: (runEnds as readonly string[]).includes(status) })
  }
}
