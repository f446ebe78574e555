import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { DraftRow, Tables } from '../schema.ts'

export function draftStatements(db: Kysely<Tables>) {
  return {
    draft: prepare<{ request: string }, DraftRow>(value =>
      db
        .selectFrom('drafts')
        .innerJoin('requests', 'requests.id', 'drafts.request')
        .selectAll('drafts')
        .where('drafts.request', '=', value('request'))
        .where('requests.status', '=', 'pending'),
    ),

    saveDraft: prepare<DraftRow, { request: string }>(value =>
      db
        .insertInto('drafts')
        .columns(['request', 'draft', 'saved_by', 'saved_at'])
        .expression(
          db
            .selectFrom('requests')
            .select([
              'id',
              sql<string>`${value('draft')}`.as('draft'),
              sql<string>`${value('saved_by')}`.as('saved_by'),
              // PostgreSQL would take a bare parameter here for a text.
              sql<number>`cast(${value('saved_at')} as bigint)`.as('saved_at'),
            ])
            .where('id', '=', value('request'))
            .where('status', '=', 'pending')
            // The value of a dependency may be a secret.
            .where('kind', '<>', 'dependency'),
        )
        .onConflict(conflict =>
          conflict.column('request').doUpdateSet(eb => ({
            draft: eb.ref('excluded.draft'),
            saved_by: eb.ref('excluded.saved_by'),
            saved_at: eb.ref('excluded.saved_at'),
          })),
        )
        .returning('request'),
    ),

    deleteDraft: prepare<{ request: string }>(value => db.deleteFrom('drafts').where('request', '=', value('request'))),

    pruneDrafts: prepare<object>(() =>
      db
        .deleteFrom('drafts')
        .where('request', 'not in', db.selectFrom('requests').select('requests.id').where('status', '=', 'pending')),
    ),
  }
}
