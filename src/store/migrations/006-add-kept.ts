import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const addKept: Migration = (db, kind) => [
  db.schema
    .createTable('kept')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull().unique())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('dependency', 'text', column => column.notNull())
    .addColumn('directory', 'text')
    .addColumn('host', 'text')
    .addColumn('asked_by', 'text', column => column.notNull())
    .addColumn('kept_by', 'text', column => column.notNull())
    .addColumn('kept_at', 'bigint', column => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('bytes', sql.raw(kind === 'sqlite' ? 'blob' : 'bytea'), column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull()),
  // The kept value that it came from: deleting that one also deletes what was given and not used yet.
  db.schema.alterTable('sealed').addColumn('kept', 'text'),
]
