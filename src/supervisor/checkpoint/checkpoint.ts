import { randomBytes } from 'node:crypto'
import type { Checkpoint } from '../../protocol/checkpoint.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { limits } from '../../protocol/limits.ts'
import type { Run } from '../../protocol/run.ts'
import { textProblem } from '../../protocol/text.ts'
import { type Snapshot, type SnapshotRef, takeSnapshot } from '../git/snapshot.ts'

export interface CheckpointOptions {
  hub: Pick<HubApi, 'checkpoints'>
  run: Pick<Run, 'id' | 'cwd'>
  reason: Checkpoint['reason']
  /** The requests that caused it; the hub adds the other open requests of the run. */
  requests?: readonly string[]
  /** The agent's environment. Only the names are saved. */
  env?: NodeJS.ProcessEnv
  session?: string | null
  logPosition?: number | null
  /** A function is called once the files are saved. */
  note?: string | (() => string | null)
  /** Milliseconds that the snapshot of the files may take; the checkpoint does without one that takes longer. */
  timeout?: number
  signal?: AbortSignal
}

/**
 * Takes a checkpoint of a run: the hub stores what it takes to bring the run back, and the run's repository a snapshot of
 * its files. The snapshot is optional: one that fails or takes too long is left out, and the note says why.
 */
export async function takeCheckpoint(options: CheckpointOptions): Promise<Checkpoint> {
  const { hub, run, reason, requests = [], env = {}, session = null, logPosition = null } = options
  const { snapshot, note } = await snapshotOf(options)
  return hub.checkpoints.save({
    run: run.id,
    reason,
    requests: [...requests],
    environment: Object.keys(env).filter(isPlainName),
    session,
    logPosition,
    snapshot: snapshot && withinLimits(snapshot),
    note: [typeof options.note === 'function' ? options.note() : options.note, note].filter(Boolean).join(' ') || null,
  })
}

/** The snapshot that a phase is compared with: from the phase before, or the start of the run; null where there is none. */
export async function phaseStart(hub: Pick<HubApi, 'checkpoints'>, run: string): Promise<Checkpoint['snapshot']> {
  const checkpoints = await hub.checkpoints.list(run)
  return checkpoints.find(({ reason }) => reason === 'phase' || reason === 'start')?.snapshot ?? null
}

/** A unique name in the repository, which tells people when the snapshot was taken. */
export function snapshotRef(run: string): SnapshotRef {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  return { run, name: `${time}-${randomBytes(3).toString('hex')}` }
}

/** Within the hub's limits: names only the first of the files that are left out. */
export function withinLimits(snapshot: Snapshot): NonNullable<Checkpoint['snapshot']> {
  const leftOut = snapshot.leftOut.filter(name => textProblem(name, limits.path) === null).slice(0, limits.files)
  return { ...snapshot, leftOut }
}

interface TakenSnapshot {
  snapshot: Snapshot | null
  note: string | null
}

// Before a request a person waits; when a run starts or falls asleep, nobody does.
const timeouts = { start: 60_000, request: 5_000, pause: 5_000, phase: 5_000, sleep: 60_000, demand: 60_000 }

async function snapshotOf({
  hub,
  run,
  reason,
  signal,
  timeout = timeouts[reason],
}: CheckpointOptions): Promise<TakenSnapshot> {
  const [last] = await hub.checkpoints.list(run.id, { limit: 1 })
  const tooLong = AbortSignal.timeout(timeout)
  const stop = signal ? AbortSignal.any([tooLong, signal]) : tooLong
  const taking = takeSnapshot(run.cwd, snapshotRef(run.id), { since: last?.snapshot ?? null, signal: stop })
  // Does not wait for git to end: on a file system that hangs it never does.
  const taken = await Promise.race([taking, aborted(stop)])
  if (stop.aborted && (!taken || 'error' in taken))
    return without(tooLong.aborted ? `it took longer than ${timeout / 1_000} s` : 'it was cancelled')
  if (!taken) return { snapshot: null, note: null }
  return 'error' in taken ? without(taken.error) : { snapshot: taken, note: null }
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }))
}

function without(reason: string): TakenSnapshot {
  return { snapshot: null, note: `Without a snapshot of the files: ${reason.slice(0, 1_000)}.` }
}

function isPlainName(name: string): boolean {
  return /^[^=\s]+$/v.test(name) && textProblem(name, limits.key) === null
}
