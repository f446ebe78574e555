import { realpath } from 'node:fs/promises'
import { BeckonError } from '../../protocol/errors.ts'
import { type Checkpoint, type HubApi, type Run, runEnds } from '../../protocol/index.ts'
import { type Restored, restoreSnapshot } from '../git/restore.ts'
import { runningProcesses } from '../processes/processes.ts'
import { fitting, snapshotRef } from './checkpoint.ts'

export interface RestoreCheckpointOptions {
  hub: Pick<HubApi, 'runs' | 'checkpoints'>
  checkpoint: Checkpoint
  /** Of this machine. */
  host: string
  /** Programs that may go on meanwhile: our own commands, which only wait. */
  spare: readonly string[]
  force?: boolean
}

export interface RestoredCheckpoint extends Pick<Restored, 'restored' | 'removed'> {
  /** The way back from here: how the files were before. Null where nothing had to be touched. */
  before: Checkpoint | null
}

/** Puts the files of a run back as they were at a checkpoint, and keeps how they are now in another one. */
export async function restoreCheckpoint({
  hub,
  checkpoint,
  host,
  spare,
  force = false,
}: RestoreCheckpointOptions): Promise<RestoredCheckpoint> {
  const { id, run, snapshot } = checkpoint
  if (checkpoint.host !== host) {
    throw new BeckonError('not_allowed', `The files of ${id} lie on ${checkpoint.host}. Restore it there.`)
  }
  if (!snapshot) throw new BeckonError('not_found', `${id} has no files to go back to. ${whyNone(checkpoint)}`)
  await refuseOtherPlaces(checkpoint, snapshot.root)
  refuseWhileRunning(await hub.runs.get(run), spare)
  let before: Checkpoint | null = null
  const keep = {
    ref: snapshotRef(run),
    onKept: async (kept: Parameters<typeof fitting>[0]) => {
      const note = `Before going back to ${id}.`
      before = await hub.checkpoints.save({ run, reason: 'demand', snapshot: fitting(kept), note })
    },
  }
  const { restored, removed } = await restoreSnapshot(snapshot, { force, keep })
  return { restored, removed, before }
}

/** Whoever may save a checkpoint could name any repository. */
async function refuseOtherPlaces({ id, cwd }: Checkpoint, root: string): Promise<void> {
  const places = [cwd, await realpath(cwd).catch(() => cwd)]
  if (places.some(place => place === root || place.startsWith(`${root}/`))) return
  throw new BeckonError('not_allowed', `The files of ${id} are in ${root}, where its run was not: ${cwd}.`)
}

function whyNone({ cwd, note }: Checkpoint): string {
  return note ?? `${cwd} was in no git repository.`
}

/** Also a run that waits may be at work: one that asked by a command goes on meanwhile. */
function refuseWhileRunning({ id, status, pid }: Run, spare: readonly string[]): void {
  if ((runEnds as readonly string[]).includes(status) || status === 'asleep') return
  const running = runningProcesses(id, pid, spare)
  if (running.length === 0) return
  const message = `${id} is running, and its files would change under it. First: beckon runs pause ${id}`
  throw new BeckonError('not_allowed', message, { processes: running })
}
