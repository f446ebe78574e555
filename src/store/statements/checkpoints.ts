import type { Kysely } from 'kysely'
import { prepare } from '../prepare.ts'
import type { CheckpointRow, Tables } from '../schema.ts'
import { upTo } from './shared.ts'

export function checkpointStatements(db: Kysely<Tables>) {
  return {
    checkpoint: prepare<{ id: string }, CheckpointRow>(value =>
      db.selectFrom('checkpoints').selectAll().where('id', '=', value('id')),
    ),

    checkpoints: prepare<{ run: string; limit: number }, CheckpointRow>(value =>
      db
        .selectFrom('checkpoints')
        .selectAll()
        .where('run', '=', value('run'))
        .orderBy('id', 'desc')
        .limit(upTo(value('limit'))),
    ),

    insertCheckpoint: prepare<CheckpointRow>(value =>
      db.insertInto('checkpoints').values({
        id: value('id'),
        run: value('run'),
        start: value('start'),
        reason: value('reason'),
        body: value('body'),
        taken_at: value('taken_at'),
      }),
    ),
  }
}
