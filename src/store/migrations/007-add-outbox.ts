import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const addOutbox: Migration = (db, kind) => {
  const bytes = sql.raw(kind === 'sqlite' ? 'blob' : 'bytea')
  return [
    db.schema
      .createTable('targets')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('name', 'text', column => column.notNull().unique())
      .addColumn('shown', 'text', column => column.notNull())
      .addColumn('mark', 'text', column => column.unique())
      .addColumn('wants', 'text', column => column.notNull())
      .addColumn('added_by', 'text', column => column.notNull())
      .addColumn('token', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('bytes', bytes, column => column.notNull())
      .addColumn('fingerprint', 'text', column => column.notNull()),
    db.schema
      .createTable('push_keys')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('public', 'text', column => column.notNull())
      .addColumn('bytes', bytes, column => column.notNull())
      .addColumn('fingerprint', 'text', column => column.notNull()),
    db.schema
      .createTable('outbox')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('request', 'text', column => column.notNull())
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('occasion', 'text', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('state', 'text', column => column.notNull())
      .addColumn('tries', 'integer', column => column.notNull())
      .addColumn('due', 'bigint', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('done_at', 'bigint')
      .addColumn('error', 'text'),
    // One message per request, target and occasion, however many senders run.
    db.schema.createIndex('outbox_once').unique().on('outbox').columns(['request', 'target', 'occasion']),
    db.schema
      .createIndex('outbox_due')
      .on('outbox')
      .columns(['target', 'due'])
      .where(sql.ref('state'), '=', sql.lit('waiting')),
  ]
}
