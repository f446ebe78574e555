import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileCheckpoints } from '../../agent/turn-checkpoints.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { takeCheckpoint } from '../../supervisor/checkpoint/checkpoint.ts'
import { restoreHere } from '../restore/restorer.ts'

/** The files of a run as checkpoints of the hub, which `beckon restore` can restore too. */
export function fileCheckpoints(
  hub: HubApi,
  run: { id: string; cwd: string },
  env: NodeJS.ProcessEnv,
): FileCheckpoints {
  return {
    async save(note) {
      if (!isInRepository(run.cwd)) return null
      const { id, snapshot } = await takeCheckpoint({ hub, run, reason: 'demand', env, note, timeout })
      return snapshot === null ? null : id
    },
    // Forced: the conversation saved the present files before.
    restore: async id => restoreHere(hub, await hub.checkpoints.get(id), { force: true, byRun: true }),
  }
}

// A person waits for it.
const timeout = 5_000

function isInRepository(folder: string): boolean {
  const parent = dirname(folder)
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent))
}
