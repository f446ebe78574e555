import { realpath } from 'node:fs/promises'
import { BeckonError } from '../../protocol/errors.ts'
import { type Checkpoint, type HubApi, type RestorePlan, type Run, runEnds } from '../../protocol/index.ts'
import { planRestore, type Restored, restoreSnapshot } from '../git/restore.ts'
import { isTakenIn } from '../git/snapshot.ts'
import { runningProcesses } from '../processes/processes.ts'
import { snapshotRef, withinLimits } from './checkpoint.ts'

export interface RestoreCheckpointOptions {
  hub: Pick<HubApi, 'runs' | 'checkpoints'>
  checkpoint: Checkpoint
  /** The name of this machine. */
  host: string
  /** Programs that may keep running: our own commands, which only wait. */
  spare: readonly string[]
  force?: boolean
  /** The run itself restores them, and does nothing else: what it has in the background, such as a server, may run on. */
  byRun?: boolean
}

export interface RestoredCheckpoint extends Pick<Restored, 'restored' | 'removed'> {
  /** The files as they were before. Null where no file had to change. */
  before: Checkpoint | null
}

/** Restores the files of a run from a checkpoint, and takes another one of the files as they are now. */
export async function restoreCheckpoint({
  hub,
  checkpoint,
  host,
  spare,
  force = false,
  byRun = false,
}: RestoreCheckpointOptions): Promise<RestoredCheckpoint> {
  const { id, run } = checkpoint
  if (checkpoint.host !== host) {
    throw new BeckonError('not_allowed', `The files of ${id} are on ${checkpoint.host}. Restore it there.`)
  }
  const snapshot = await snapshotOf(checkpoint)
  const supervised = await hub.runs.get(run)
  if (!byRun) refuseWhileRunning(supervised, spare)
  let before: Checkpoint | null = null
  const keep = {
    ref: snapshotRef(run),
    onSaved: async (saved: Parameters<typeof withinLimits>[0]) => {
      const note = `Before restoring ${id}.`
      before = await hub.checkpoints.save({ run, reason: 'demand', snapshot: withinLimits(saved), note })
    },
  }
  const { restored, removed } = await restoreSnapshot(snapshot, { force, keep, ownUntil: endOf(supervised) })
  return { restored, removed, before }
}

/** What restoring it would change; on another machine nobody can tell. */
export async function planRestoreCheckpoint({
  hub,
  checkpoint,
  host,
  spare,
}: Omit<RestoreCheckpointOptions, 'force' | 'byRun'>): Promise<RestorePlan> {
  const { id } = checkpoint
  const here = checkpoint.host === host
  const common = { checkpoint: id, host: checkpoint.host, here, command: `beckon restore ${id}` }
  const nothing = { restored: [], removed: [], files: 0, commits: [], unsaved: [] }
  if (!here) return { ...common, ...nothing, refused: null }
  try {
    const run = await hub.runs.get(checkpoint.run)
    const plan = await planRestore(await snapshotOf(checkpoint), { ownUntil: endOf(run) })
    const { restored, removed, unsaved, commits } = plan
    const refused = await whyRefused(async () => refuseWhileRunning(run, spare))
    const few = (files: readonly string[]) => files.slice(0, mostFiles)
    const files = restored.length + removed.length
    return { ...common, restored: few(restored), removed: few(removed), files, unsaved: few(unsaved), commits, refused }
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error
    return { ...common, ...nothing, refused: error.message }
  }
}

/**
 * Until it ended, what changed in its directory counts as its own, and undoing that is what restoring is for; the files as
 * they are now are saved in any case. A paused or waiting run has a checkpoint of the moment when it was stopped.
 */
function endOf({ endedAt }: Run): number | null {
  return endedAt === null ? null : Date.parse(endedAt)
}

const mostFiles = 200

async function whyRefused(check: () => Promise<void>): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (error instanceof BeckonError) return error.message
    throw error
  }
}

async function snapshotOf(checkpoint: Checkpoint): Promise<NonNullable<Checkpoint['snapshot']>> {
  const { id, snapshot } = checkpoint
  if (!snapshot) throw new BeckonError('not_found', `${id} has no snapshot of the files. ${whyNone(checkpoint)}`)
  await refuseOtherFolders(checkpoint, snapshot.root)
  // A supervisor elsewhere names its own machine, directory and commit: this one's, if it likes.
  if (!(await isTakenIn(snapshot.root, snapshot))) {
    throw new BeckonError('not_found', `The snapshot of ${id} is not in ${snapshot.root}, or not any more.`)
  }
  return snapshot
}

/** A program that can save checkpoints could name any repository. */
async function refuseOtherFolders({ id, cwd }: Checkpoint, root: string): Promise<void> {
  const folders = [cwd, await realpath(cwd).catch(() => cwd)]
  if (folders.some(folder => folder === root || folder.startsWith(`${root}/`))) return
  throw new BeckonError('not_allowed', `The files of ${id} are in ${root}, but its run was in ${cwd}.`)
}

function whyNone({ cwd, note }: Checkpoint): string {
  return note ?? `${cwd} was not in a git repository.`
}

/** A waiting run may be running too: one that asked by a command goes on meanwhile. */
function refuseWhileRunning({ id, status, pid }: Run, spare: readonly string[]): void {
  if ((runEnds as readonly string[]).includes(status) || status === 'asleep') return
  const running = runningProcesses(id, pid, spare)
  if (running.length === 0) return
  const message = `${id} is running and uses these files. Pause it first: beckon runs pause ${id}`
  throw new BeckonError('not_allowed', message, { processes: running })
}
