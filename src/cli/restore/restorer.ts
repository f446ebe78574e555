import { hostname } from 'node:os'
import type { Checkpoint } from '../../protocol/checkpoint.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Restorer } from '../../server/route-context.ts'
import type { RestoredCheckpoint } from '../../supervisor/checkpoint/restore-checkpoint.ts'
import { holderFile, programFile } from '../../system/programs.ts'

type Hub = Pick<HubApi, 'runs' | 'checkpoints'>

/** Restores files on this machine, for the command and for the server. Git's part is loaded when it is needed. */
export function createRestorer(hub: Hub): Restorer {
  return {
    async plan(checkpoint) {
      const { planRestoreCheckpoint } = await import('../../supervisor/checkpoint/restore-checkpoint.ts')
      return planRestoreCheckpoint({ hub, checkpoint, host: hostname(), spare: ownPrograms() })
    },
    async restore(checkpoint, { force }) {
      const { restored, removed, before } = await restoreHere(hub, checkpoint, { force })
      return { checkpoint: checkpoint.id, restored, removed, undo: before?.id ?? null }
    },
  }
}

export async function restoreHere(
  hub: Hub,
  checkpoint: Checkpoint,
  how: { force: boolean; byRun?: boolean },
): Promise<RestoredCheckpoint> {
  const { restoreCheckpoint } = await import('../../supervisor/checkpoint/restore-checkpoint.ts')
  return restoreCheckpoint({ hub, checkpoint, host: hostname(), spare: ownPrograms(), ...how })
}

function ownPrograms(): string[] {
  return [holderFile(), programFile('beckon.js'), programFile('ask-user-question.js')]
}
