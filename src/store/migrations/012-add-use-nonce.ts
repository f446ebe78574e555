import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The caller that used a request, so that the same use again is a replay; and edits that name what they replace. */
export const addUseNonce: Migration = (db, kind) => {
  const [edited, isText] =
    kind === 'sqlite'
      ? [
          sql<string>`json_set(outcome, '$.edited', json_object('command', json_extract(outcome, '$.edited')))`,
          sql<boolean>`json_type(outcome, '$.edited') = 'text'`,
        ]
      : [
          sql<string>`jsonb_set(outcome::jsonb, '{edited}', jsonb_build_object('command', outcome::jsonb -> 'edited'))::text`,
          sql<boolean>`jsonb_typeof(outcome::jsonb -> 'edited') = 'string'`,
        ]
  return [
    db.schema.alterTable('requests').addColumn('use_nonce', 'text'),
    db.updateTable('requests').set({ outcome: edited }).where('outcome', 'is not', null).where(isText),
  ]
}
