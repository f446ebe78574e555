import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Addresses that askers gave to be called at when their request is settled. */
export const addCallbacks: Migration = (db, kind) => [
  db.schema
    .createTable('callbacks')
    .addColumn('request', 'text', column => column.notNull())
    .addColumn('mark', 'text', column => column.notNull())
    .addColumn('host', 'text', column => column.notNull())
    .addColumn('token', 'text')
    .addColumn('asked_by', 'text', column => column.notNull())
    .addColumn('bytes', sql.raw(kind === 'sqlite' ? 'blob' : 'bytea'), column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('queued', 'integer', column => column.notNull().defaultTo(sql.lit(0)))
    .addPrimaryKeyConstraint('callbacks_once', ['request', 'mark']),
  db.schema.createIndex('callbacks_open').on('callbacks').column('request').where(sql.ref('queued'), '=', sql.lit(0)),
]
