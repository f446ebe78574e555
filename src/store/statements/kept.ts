import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { KeptRow, Tables } from '../schema.ts'
import { one } from './shared.ts'

export interface KeptQuery {
  user: string
  token: string | null
  type: string
  dependency: string
  directory: string
  host: string
}

export function keptStatements(db: Kysely<Tables>) {
  return {
    kept: prepare<object, KeptRow>(() => db.selectFrom('kept').selectAll().orderBy('name')),

    keptByName: prepare<{ name: string }, KeptRow>(value =>
      db.selectFrom('kept').selectAll().where('name', '=', value('name')),
    ),

    // A value for this directory comes before one for everywhere.
    keptFor: prepare<KeptQuery, KeptRow>(value =>
      db
        .selectFrom('kept')
        .selectAll()
        // A name counts on this machine only: anybody may give a token any name.
        .where(eb =>
          eb.or([
            eb('token', '=', value('token')),
            eb.and([
              sql<boolean>`cast(${value('token')} as text) is null`,
              eb('token', 'is', null),
              eb('asked_by', '=', value('user')),
            ]),
          ]),
        )
        .where('type', '=', value('type'))
        .where('dependency', '=', value('dependency'))
        .where(eb =>
          eb.or([
            eb('directory', 'is', null),
            eb.and([eb('directory', '=', value('directory')), eb('host', '=', value('host'))]),
          ]),
        )
        .orderBy(sql`case when directory is null then 1 else 0 end`)
        .orderBy('kept_at', 'desc')
        .limit(one),
    ),

    insertKept: prepare<KeptRow>(value =>
      db.insertInto('kept').values({
        id: value('id'),
        name: value('name'),
        type: value('type'),
        dependency: value('dependency'),
        directory: value('directory'),
        host: value('host'),
        asked_by: value('asked_by'),
        token: value('token'),
        kept_by: value('kept_by'),
        kept_at: value('kept_at'),
        last_used_at: value('last_used_at'),
        bytes: value('bytes'),
        fingerprint: value('fingerprint'),
      }),
    ),

    // Locks the row until the commit: a deletion waits, and then also finds the value that was given here.
    takeKept: prepare<{ id: string; at: number }, { id: string }>(value =>
      db
        .updateTable('kept')
        .set({ last_used_at: value('at') })
        .where('id', '=', value('id'))
        .returning('id'),
    ),

    deleteKept: prepare<{ id: string }, { id: string }>(value =>
      db.deleteFrom('kept').where('id', '=', value('id')).returning('id'),
    ),

    // Nobody can ever get it again.
    // A used value stays: its run has it already, and may open it again until the run ends.
    unsealKept: prepare<{ id: string }>(value =>
      db
        .deleteFrom('sealed')
        .where('kept', '=', value('id'))
        .where(
          'request',
          'not in',
          db.selectFrom('requests').select('requests.id').where('requests.used_at', 'is not', null),
        ),
    ),
  }
}
