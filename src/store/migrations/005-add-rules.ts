import type { Migration } from './migration.ts'

export const addRules: Migration = db => [
  db.schema
    .createTable('rules')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('rule', 'text', column => column.notNull())
    .addColumn('request', 'text')
    .addColumn('made_by', 'text', column => column.notNull())
    .addColumn('channel', 'text', column => column.notNull())
    .addColumn('made_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('removed_at', 'bigint')
    .addColumn('removed_by', 'text'),
]
