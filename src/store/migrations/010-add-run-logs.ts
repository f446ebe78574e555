import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The logs of runs on other machines, and the token that started a run. */
export const addRunLogs: Migration = (db, kind) => [
  db.schema
    .createTable('run_logs')
    .addColumn('run', 'text', column => column.notNull())
    .addColumn('number', 'integer', column => column.notNull())
    .addColumn('start_offset', 'bigint', column => column.notNull())
    .addColumn('end_offset', 'bigint', column => column.notNull())
    .addColumn('end_notes', 'bigint', column => column.notNull())
    .addColumn('total', 'bigint', column => column.notNull())
    .addColumn('closed', 'integer', column => column.notNull())
    .addColumn('records', 'text', column => column.notNull())
    .addColumn('bytes', sql.raw(kind === 'sqlite' ? 'blob' : 'bytea'), column => column.notNull())
    .addPrimaryKeyConstraint('run_logs_place', ['run', 'number']),
  db.schema.alterTable('runs').addColumn('token', 'text'),
]
