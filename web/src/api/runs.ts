import type { Checkpoint, RestoredFiles, RestorePlan } from '../../../src/protocol/checkpoint.ts'
import type { Event } from '../../../src/protocol/event.ts'
import type { Run } from '../../../src/protocol/run.ts'
import type { LogPage } from '../../../src/protocol/run-log.ts'
import { call } from './call.ts'

export type RunVerb = 'pause' | 'resume' | 'stop'

export function listRuns(limit: number): Promise<Run[]> {
  return call('runs.list', [{ limit }])
}

export function getRun(id: string): Promise<Run> {
  return call('runs.get', [id])
}

export function tellRun(id: string, verb: RunVerb): Promise<Run> {
  return call(`runs.${verb}`, [id])
}

/** Waits for more where there is none yet. `after` is `end` for the last pages, null for the start. */
export function readLog(
  id: string,
  after: string | null,
  { wait, limit, signal }: { wait: number; limit: number; signal: AbortSignal },
): Promise<LogPage> {
  const query = { ...(after === null ? {} : { after }), limit, ...(wait > 0 ? { wait } : {}) }
  return call('logs.read', [id, query], { signal })
}

export function listCheckpoints(id: string): Promise<Checkpoint[]> {
  return call('checkpoints.list', [id])
}

export function planRestore(id: string): Promise<RestorePlan> {
  return call('checkpoints.plan', [id])
}

export function restoreFiles(id: string, force: boolean): Promise<RestoredFiles> {
  return call('checkpoints.restore', [id, { force }])
}

export function listEvents(since: number, limit: number): Promise<{ events: Event[]; last: number }> {
  return call('events', [{ since, limit }])
}
