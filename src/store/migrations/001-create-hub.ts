import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const createHub: Migration = (db, kind) => {
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea'
  const schema = db.schema
  return [
    schema
      .createTable('requests')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('run', 'text')
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('required', 'integer', column => column.notNull())
      .addColumn('body', 'text', column => column.notNull())
      .addColumn('context', 'text')
      .addColumn('agent', 'text', column => column.notNull())
      .addColumn('agent_name', 'text', column => column.notNull())
      .addColumn('scope', 'text', column => column.notNull())
      .addColumn('key', 'text')
      .addColumn('content', 'text', column => column.notNull())
      .addColumn('asked_by', 'text', column => column.notNull())
      .addColumn('host', 'text', column => column.notNull())
      .addColumn('timeout', 'bigint')
      .addColumn('on_timeout', 'text', column => column.notNull())
      .addColumn('deadline', 'bigint')
      .addColumn('due', 'bigint')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('settled_at', 'bigint')
      .addColumn('delivered_at', 'bigint')
      .addColumn('delivered_start', 'bigint')
      .addColumn('used_at', 'bigint')
      .addColumn('outcome', 'text'),
    schema
      .createIndex('requests_key')
      .unique()
      .on('requests')
      .columns(['scope', 'key'])
      .where(sql.ref('key'), 'is not', null),
    // Two partial indexes instead of one over everything: content is a hash, so every insert would touch another page.
    schema
      .createIndex('requests_untaken')
      .on('requests')
      .columns(['content', 'id'])
      .where(sql.ref('delivered_at'), 'is', null),
    schema
      .createIndex('requests_content_in_run')
      .on('requests')
      .columns(['content', 'id'])
      .where(sql.ref('run'), 'is not', null),
    schema.createIndex('requests_open').on('requests').column('id').where(sql.ref('status'), '=', sql.lit('pending')),
    schema
      .createIndex('requests_due')
      .on('requests')
      .column('due')
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .where(sql.ref('due'), 'is not', null),
    schema.createIndex('requests_run').on('requests').columns(['run', 'status']).where(sql.ref('run'), 'is not', null),
    schema
      .createTable('events')
      // In SQLite only an `integer primary key` is the table's own order.
      .addColumn('id', kind === 'sqlite' ? 'integer' : 'bigint', column => column.primaryKey())
      .addColumn('type', 'text', column => column.notNull())
      .addColumn('at', 'bigint', column => column.notNull())
      .addColumn('request', 'text')
      .addColumn('run', 'text')
      .addColumn('data', 'text', column => column.notNull()),
    schema.createTable('event_counter').addColumn('last', 'bigint', column => column.notNull()),
    db.insertInto('event_counter').values({ last: sql.lit(0) }),
    schema
      .createTable('runs')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('command', 'text', column => column.notNull())
      .addColumn('cwd', 'text', column => column.notNull())
      .addColumn('host', 'text', column => column.notNull())
      .addColumn('started_by', 'text', column => column.notNull())
      .addColumn('pid', 'integer')
      .addColumn('session', 'text')
      .addColumn('exit_code', 'integer')
      .addColumn('resume_command', 'text')
      .addColumn('sleeps', 'integer', column => column.notNull())
      .addColumn('start', 'integer', column => column.notNull())
      .addColumn('started_at', 'bigint', column => column.notNull())
      .addColumn('ended_at', 'bigint'),
    schema
      .createTable('sealed')
      .addColumn('request', 'text', column => column.primaryKey())
      .addColumn('run', 'text')
      .addColumn('bytes', sql.raw(bytes), column => column.notNull())
      .addColumn('mac', sql.raw(bytes), column => column.notNull())
      .addColumn('fingerprint', 'text', column => column.notNull())
      .addColumn('keep', 'integer', column => column.notNull()),
    schema
      .createTable('meta')
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('value', 'text', column => column.notNull()),
  ]
}
