import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * What belongs to a token is bound to its id. Before, a kept value was found by a name, and a session that was opened by
 * a link did not know the token that made the link. Where that cannot be told any more, the safe side: a value kept for a
 * name that a token or a run over HTTP had is deleted, and such a session signs in again.
 */
export const bindToTokens: Migration = db => {
  const isAmbiguous = sql<boolean>`asked_by in (select name from tokens where kind = 'token' and scope <> 'ask')
    or asked_by in (select started_by from runs where token is not null)`
  const ambiguous = db.selectFrom('kept').select('kept.id').where(isAmbiguous)
  const used = db.selectFrom('requests').select('requests.id').where('requests.used_at', 'is not', null)
  return [
    db.deleteFrom('sealed').where('kept', 'in', ambiguous).where('request', 'not in', used),
    db.deleteFrom('kept').where(isAmbiguous),
    db.schema.alterTable('kept').addColumn('token', 'text'),
    db.deleteFrom('tokens').where(sql<boolean>`kind in ('session', 'link') and parent is null`),
  ]
}
