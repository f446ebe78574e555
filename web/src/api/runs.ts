import type { Checkpoint } from '../../../src/protocol/checkpoint.ts'
import type { Event } from '../../../src/protocol/event.ts'
import type { Run } from '../../../src/protocol/run.ts'
import { call } from './call.ts'

interface LogPiece {
  stream: 'out' | 'err' | 'in' | 'note'
  text: string
  at: string
}

export interface LogPage {
  pieces: LogPiece[]
  next: string
  missing: number
  final: boolean
  /** The machine that has it, where the server has none of it. */
  elsewhere: string | null
}

export type RunVerb = 'pause' | 'resume' | 'stop'

export async function listRuns(limit: number): Promise<Run[]> {
  return (await call<{ runs: Run[] }>('GET', `/runs?limit=${limit}`)).runs
}

export function getRun(id: string): Promise<Run> {
  return call('GET', at(id))
}

export function tellRun(id: string, verb: RunVerb): Promise<Run> {
  return call('POST', `${at(id)}/${verb}`)
}

/** Waits for more where there is none yet. `after` is `end` for the last pages, nothing for the start. */
export function readLog(
  id: string,
  after: string | null,
  { wait, limit, signal }: { wait: number; limit: number; signal: AbortSignal },
): Promise<LogPage> {
  const query = new URLSearchParams({
    ...(after === null ? {} : { after }),
    limit: String(limit),
    ...(wait > 0 ? { wait: String(wait) } : {}),
  })
  return call('GET', `${at(id)}/log?${query}`, { signal })
}

export async function listCheckpoints(id: string): Promise<Checkpoint[]> {
  return (await call<{ checkpoints: Checkpoint[] }>('GET', `${at(id)}/checkpoints`)).checkpoints
}

export async function listEvents(since: number, limit: number): Promise<{ events: Event[]; last: number }> {
  return call('GET', `/events?since=${since}&limit=${limit}`)
}

function at(id: string): string {
  return `/runs/${encodeURIComponent(id)}`
}
