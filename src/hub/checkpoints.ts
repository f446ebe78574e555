import type * as z from 'zod'
import { type CheckpointsApi, saveCheckpointSchema } from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { CheckpointRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { newId } from './ids.ts'
import { notFound } from './not-found.ts'
import { maxPageSize, pageSize } from './page-size.ts'
import { needRun } from './runs.ts'
import { toCheckpoint } from './to-protocol.ts'

/** Moments that a run can be brought back to: saved once, never changed, deleted with their run. */
export function createCheckpoints(store: Store): CheckpointsApi {
  return {
    async save(input) {
      const parsed = parse(saveCheckpointSchema, input)
      let saved: CheckpointRecord | null = null
      const record = await store.change(async tx => {
        // The commit's acknowledgement was lost: the checkpoint is stored already.
        const stored = tx.alreadyCommitted && saved && (await tx.checkpoint(saved.id))
        if (stored) return stored
        saved = await describe(tx, parsed)
        await tx.insertCheckpoint(saved)
        return saved
      })
      return toCheckpoint(record)
    },

    async get(id) {
      const record = await store.read(view => view.checkpoint(id))
      if (!record) throw notFound('checkpoint', id)
      return toCheckpoint(record)
    },

    list: (run, { limit = maxPageSize } = {}) =>
      store.read(async view => {
        const { id } = await needRun(view, run)
        return (await view.checkpoints(id, pageSize(limit))).map(toCheckpoint)
      }),
  }
}

/** Takes command, directory and session from the run, and adds its open requests after those that caused the checkpoint. */
async function describe(tx: Transaction, input: z.output<typeof saveCheckpointSchema>): Promise<CheckpointRecord> {
  const { id: run, start, command, cwd, host, session } = await needRun(tx, input.run)
  // The agent already works while its start is saved; what it asks meanwhile comes after this moment.
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
