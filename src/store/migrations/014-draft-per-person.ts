import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** One draft per request and person: what one person writes never replaces what another began. */
export const draftPerPerson: Migration = db => [
  db.schema
    .createTable('drafts_of_people')
    .addColumn('request', 'text', column => column.notNull())
    .addColumn('saved_by', 'text', column => column.notNull())
    .addColumn('draft', 'text', column => column.notNull())
    .addColumn('saved_at', 'bigint', column => column.notNull())
    .addColumn('discarded', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('drafts_author', ['request', 'saved_by']),
  db
    .insertInto('drafts_of_people' as 'drafts')
    .columns(['request', 'saved_by', 'draft', 'saved_at', 'discarded'])
    .expression(
      db.selectFrom('drafts').select(['request', 'saved_by', 'draft', 'saved_at', sql.lit(0).as('discarded')]),
    ),
  db.schema.dropTable('drafts'),
  db.schema.alterTable('drafts_of_people').renameTo('drafts'),
]
