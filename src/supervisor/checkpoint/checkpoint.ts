import { randomBytes } from 'node:crypto'
import type { Checkpoint } from '../../protocol/checkpoint.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { limits } from '../../protocol/limits.ts'
import type { Run } from '../../protocol/run.ts'
import { textProblem } from '../../protocol/text.ts'
import { type Snapshot, type SnapshotRef, takeSnapshot } from '../git/snapshot.ts'

export interface Taking {
  hub: Pick<HubApi, 'checkpoints'>
  run: Pick<Run, 'id' | 'cwd'>
  reason: Checkpoint['reason']
  /** What caused it; other open requests of the run are added by the hub. */
  requests?: readonly string[]
  /** The agent's. Its names are kept, and no value. */
  env?: NodeJS.ProcessEnv
  session?: string | null
  logPosition?: number | null
  /** Asked for once the files are kept. */
  note?: string | (() => string | null)
  /** Milliseconds that the files may take; without them it is a checkpoint all the same. */
  patience?: number
  signal?: AbortSignal
}

/**
 * Keeps the present moment of a run: in the hub what it takes to bring it back, and in its repository its files. They
 * are a help and the rest is needed: a snapshot that fails or takes too long is left out, and the note says why.
 */
export async function takeCheckpoint(taking: Taking): Promise<Checkpoint> {
  const { hub, run, reason, requests = [], env = {}, session = null, logPosition = null } = taking
  const { snapshot, note } = await filesOf(taking)
  return hub.checkpoints.save({
    run: run.id,
    reason,
    requests: [...requests],
    environment: Object.keys(env).filter(isPlainName),
    session,
    logPosition,
    snapshot: snapshot && fitting(snapshot),
    note: [typeof taking.note === 'function' ? taking.note() : taking.note, note].filter(Boolean).join(' ') || null,
  })
}

/** What a phase is compared with: its files when the phase before was done, or the run began; null where none were kept. */
export async function phaseStart(hub: Pick<HubApi, 'checkpoints'>, run: string): Promise<Checkpoint['snapshot']> {
  const checkpoints = await hub.checkpoints.list(run)
  return checkpoints.find(({ reason }) => reason === 'phase' || reason === 'start')?.snapshot ?? null
}

/** A name in the repository that no other snapshot of the run has, and that tells people when it was taken. */
export function snapshotRef(run: string): SnapshotRef {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  return { run, name: `${time}-${randomBytes(3).toString('hex')}` }
}

/** As the hub takes it: of the files that are not in it only the first, where they are many. */
export function fitting(snapshot: Snapshot): NonNullable<Checkpoint['snapshot']> {
  const leftOut = snapshot.leftOut.filter(name => textProblem(name, limits.path) === null).slice(0, limits.files)
  return { ...snapshot, leftOut }
}

interface Files {
  snapshot: Snapshot | null
  note: string | null
}

// Somebody is waiting to be asked, and nobody when a run begins or falls asleep.
const patienceFor = { start: 60_000, request: 5_000, pause: 5_000, phase: 5_000, sleep: 60_000, demand: 60_000 }

async function filesOf({ hub, run, reason, signal, patience = patienceFor[reason] }: Taking): Promise<Files> {
  const [last] = await hub.checkpoints.list(run.id, { limit: 1 })
  const tooLong = AbortSignal.timeout(patience)
  const stop = signal ? AbortSignal.any([tooLong, signal]) : tooLong
  const taking = takeSnapshot(run.cwd, snapshotRef(run.id), { since: last?.snapshot ?? null, signal: stop })
  // Not until git has ended, too: on a file system that hangs it never does.
  const taken = await Promise.race([taking, aborted(stop)])
  if (stop.aborted && (!taken || 'error' in taken)) return without(whyGivenUp(tooLong, patience))
  if (!taken) return { snapshot: null, note: null }
  return 'error' in taken ? without(taken.error) : { snapshot: taken, note: null }
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }))
}

function whyGivenUp({ aborted }: AbortSignal, patience: number): string {
  return aborted ? `it took longer than ${patience / 1_000} s` : 'it was given up'
}

function without(reason: string): Files {
  return { snapshot: null, note: `Without its files: ${reason.slice(0, 1_000)}.` }
}

function isPlainName(name: string): boolean {
  return /^[^=\s]+$/v.test(name) && textProblem(name, limits.key) === null
}
