import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * The index of searches: which characters follow each other in which requests. It is built afterwards, in the background
 * (search/build-index.ts), so that a large database opens as quickly as before.
 */
export const addSearch: Migration = ({ schema }, kind) => {
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea'
  const grams = schema
    .createTable('search_grams')
    .addColumn('segment', 'integer', column => column.notNull())
    .addColumn('bucket', 'integer', column => column.notNull())
    .addColumn('slots', 'text', column => column.notNull())
    .addColumn('masks', bytes, column => column.notNull())
    .addPrimaryKeyConstraint('search_grams_key', ['segment', 'bucket'])
  return [
    schema
      .createTable('search_segments')
      .addColumn('segment', 'integer', column => column.primaryKey())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('first', 'text', column => column.notNull())
      .addColumn('starts', 'text', column => column.notNull()),
    kind === 'sqlite' ? grams.modifyEnd(sql`without rowid`) : grams,
  ]
}
