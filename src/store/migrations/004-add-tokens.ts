import type { Migration } from './migration.ts'

export const addTokens: Migration = db => [
  db.schema
    .createTable('tokens')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('run', 'text')
    .addColumn('parent', 'text')
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint'),
  db.schema.createIndex('tokens_hash').unique().on('tokens').column('hash'),
  db.schema.createIndex('tokens_revoked').on('tokens').column('revoked_at'),
]
