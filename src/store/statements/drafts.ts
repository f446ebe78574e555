import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { DraftRow, Tables } from '../schema.ts'

export function draftStatements(db: Kysely<Tables>) {
  return {
    drafts: prepare<{ request: string; reader: string; limit: number }, DraftRow>(value =>
      db
        .selectFrom('drafts')
        .innerJoin('requests', 'requests.id', 'drafts.request')
        .selectAll('drafts')
        .where('drafts.request', '=', value('request'))
        .where('requests.status', '=', 'pending')
        .where(eb => eb.or([eb('discarded', '=', sql.lit(0)), eb('saved_by', '=', value('reader'))]))
        .orderBy(sql`case when saved_by = ${value('reader')} then 0 else 1 end`)
        .orderBy('saved_at', 'desc')
        .orderBy('saved_by')
        .limit(value('limit')),
    ),

    saveDraft: prepare<DraftRow, { request: string }>(value =>
      db
        .insertInto('drafts')
        .columns(['request', 'saved_by', 'draft', 'saved_at', 'discarded'])
        .expression(
          db
            .selectFrom('requests')
            .select([
              'id',
              sql<string>`${value('saved_by')}`.as('saved_by'),
              sql<string>`${value('draft')}`.as('draft'),
              // PostgreSQL would take a bare parameter here for a text.
              sql<number>`cast(${value('saved_at')} as bigint)`.as('saved_at'),
              sql<number>`cast(${value('discarded')} as integer)`.as('discarded'),
            ])
            .where('id', '=', value('request'))
            .where('status', '=', 'pending')
            // The value of a dependency may be a secret.
            .where('kind', '<>', 'dependency'),
        )
        .onConflict(conflict =>
          conflict.columns(['request', 'saved_by']).doUpdateSet(eb => ({
            draft: eb.ref('excluded.draft'),
            saved_at: eb.ref('excluded.saved_at'),
            discarded: eb.ref('excluded.discarded'),
          })),
        )
        .returning('request'),
    ),

    deleteDraft: prepare<{ request: string; by: string }>(value =>
      db.deleteFrom('drafts').where('request', '=', value('request')).where('saved_by', '=', value('by')),
    ),

    discardDraft: prepare<{ request: string; by: string }, { request: string }>(value =>
      db
        .updateTable('drafts')
        .set({ discarded: sql.lit(1) })
        .where('request', '=', value('request'))
        .where('saved_by', '=', value('by'))
        .where('discarded', '=', sql.lit(0))
        .returning('request'),
    ),
  }
}
