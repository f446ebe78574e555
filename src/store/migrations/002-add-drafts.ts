import type { Migration } from './migration.ts'

export const addDrafts: Migration = db => [
  db.schema
    .createTable('drafts')
    .addColumn('request', 'text', column => column.primaryKey())
    .addColumn('draft', 'text', column => column.notNull())
    .addColumn('saved_by', 'text', column => column.notNull())
    .addColumn('saved_at', 'bigint', column => column.notNull()),
]
