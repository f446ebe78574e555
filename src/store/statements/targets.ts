import type { Kysely } from 'kysely'
import { prepare } from '../prepare.ts'
import type { PushKeysRow, Tables, TargetRow } from '../schema.ts'
import { one } from './shared.ts'

export function targetStatements(db: Kysely<Tables>) {
  return {
    targets: prepare<object, TargetRow>(() => db.selectFrom('targets').selectAll().orderBy('name')),

    target: prepare<{ id: string }, TargetRow>(value =>
      db.selectFrom('targets').selectAll().where('id', '=', value('id')),
    ),

    targetByName: prepare<{ name: string }, TargetRow>(value =>
      db.selectFrom('targets').selectAll().where('name', '=', value('name')),
    ),

    targetByMark: prepare<{ mark: string }, TargetRow>(value =>
      db.selectFrom('targets').selectAll().where('mark', '=', value('mark')),
    ),

    insertTarget: prepare<TargetRow>(value =>
      db.insertInto('targets').values({
        id: value('id'),
        kind: value('kind'),
        name: value('name'),
        shown: value('shown'),
        mark: value('mark'),
        wants: value('wants'),
        added_by: value('added_by'),
        token: value('token'),
        created_at: value('created_at'),
        bytes: value('bytes'),
        fingerprint: value('fingerprint'),
      }),
    ),

    saveTargetWants: prepare<{ id: string; wants: string }, { id: string }>(value =>
      db
        .updateTable('targets')
        .set({ wants: value('wants') })
        .where('id', '=', value('id'))
        .returning('id'),
    ),

    deleteTarget: prepare<{ id: string }, { id: string }>(value =>
      db.deleteFrom('targets').where('id', '=', value('id')).returning('id'),
    ),

    anyTarget: prepare<object, { id: string }>(() => db.selectFrom('targets').select('id').limit(one)),

    pushKeys: prepare<object, PushKeysRow>(() => db.selectFrom('push_keys').selectAll()),

    insertPushKeys: prepare<PushKeysRow>(value =>
      db.insertInto('push_keys').values({
        id: value('id'),
        public: value('public'),
        bytes: value('bytes'),
        fingerprint: value('fingerprint'),
      }),
    ),
  }
}
