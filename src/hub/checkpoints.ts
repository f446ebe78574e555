import type { z } from 'zod'
import { BeckonError, type CheckpointsApi, saveCheckpointSchema } from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { CheckpointRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { newId } from './ids.ts'
import { needRun } from './runs.ts'
import { showCheckpoint } from './to-protocol.ts'

const maxPage = 1_000

/** Moments of runs that can be gone back to. They are facts: saved once, never changed, gone with their run. */
export function createCheckpoints(store: Store) {
  const checkpoints: CheckpointsApi = {
    async save(input) {
      const parsed = parse(saveCheckpointSchema, input)
      let saved: CheckpointRecord | null = null
      const record = await store.change(async tx => {
        // The word of our commit was lost: it is stored already.
        const stored = tx.happened && saved && (await tx.checkpoint(saved.id))
        if (stored) return stored
        saved = await describe(tx, parsed)
        await tx.insertCheckpoint(saved)
        return saved
      })
      return showCheckpoint(record)
    },

    async get(id) {
      const record = await store.read(view => view.checkpoint(id))
      if (!record) throw new BeckonError('not_found', `There is no checkpoint ${id}.`)
      return showCheckpoint(record)
    },

    list: (run, { limit = maxPage } = {}) =>
      store.read(async view => {
        const { id } = await needRun(view, run)
        const size = Math.min(Math.max(1, Math.floor(limit) || 1), maxPage)
        return (await view.checkpoints(id, size)).map(showCheckpoint)
      }),
  }
  return checkpoints
}

/** The run speaks for itself; what is open of it stands behind what caused this. */
async function describe(tx: Transaction, input: z.output<typeof saveCheckpointSchema>): Promise<CheckpointRecord> {
  const { id: run, start, command, cwd, host, session } = await needRun(tx, input.run)
  // The start is taken beside the agent's first steps; what it asks meanwhile came after.
  const open = input.reason === 'start' ? [] : await tx.openOfRun(run)
  const at = await tx.now()
  return {
    id: newId('chk', at),
    run,
    start,
    at,
    reason: input.reason,
    requests: [...new Set([...input.requests, ...open.map(request => request.id)])],
    command,
    cwd,
    host,
    environment: [...new Set(input.environment)].sort(),
    session: input.session ?? session,
    logPosition: input.logPosition,
    snapshot: input.snapshot,
    note: input.note,
  }
}
