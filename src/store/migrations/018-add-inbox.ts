import { sql } from 'kysely'
import type { Migration } from './migration.ts'

const sortedBy = [
  'alike',
  'id',
  'danger',
  'deadline',
  'on_timeout',
  'kind',
  'run',
  'agent_name',
  'directory',
  'created_at',
  'status',
] as const

/**
 * What the inbox sorts and counts by without reading whole requests; messages on requests, the files that came with them,
 * who does not want to see which for now, and the answers that people want to give always. Requests from before have no title of their own and are alike to none.
 */
export const addInbox: Migration = (db, kind) => {
  const bytes = kind === 'sqlite' ? 'blob' : 'bytea'
  const { schema } = db
  const fromJson = (column: string, ...path: string[]) =>
    kind === 'sqlite'
      ? sql<string>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${path.join('.')}`)})`
      : sql<string>`${sql.ref(column)}::json #>> ${sql.lit(`{${path.join(',')}}`)}`
  const severity = fromJson('body', 'action', 'severity')
  return [
    schema.alterTable('requests').addColumn('title', 'text'),
    schema.alterTable('requests').addColumn('directory', 'text'),
    schema.alterTable('requests').addColumn('danger', 'integer', column => column.notNull().defaultTo(sql.lit(0))),
    schema.alterTable('requests').addColumn('alike', 'text'),
    schema.alterTable('requests').addColumn('same_question', 'text'),
    schema.alterTable('requests').addColumn('detail', 'text'),
    schema.alterTable('requests').addColumn('parts', 'integer'),
    schema.alterTable('requests').addColumn('can_reply', 'integer', column => column.notNull().defaultTo(sql.lit(0))),
    schema.alterTable('requests').addColumn('messages', 'text'),
    schema.alterTable('requests').addColumn('attachments', 'text'),
    db.updateTable('requests').set({ directory: fromJson('agent', 'cwd') }),
    db
      .updateTable('requests')
      .set({ danger: sql<number>`case ${severity} when 'critical' then 4 when 'high' then 3 else 0 end` })
      .where(sql.ref('kind'), '=', sql.lit('approval'))
      .where(sql.ref('status'), '=', sql.lit('pending')),
    schema
      .createIndex('requests_inbox')
      .on('requests')
      // In SQLite it has all that is sorted and counted by, because a row is as long as its body. PostgreSQL stores bodies
      // elsewhere, and its indexes take no long texts.
      .columns(kind === 'sqlite' ? [...sortedBy] : ['alike', 'id'])
      .where(sql.ref('status'), '=', sql.lit('pending')),
    schema
      .createIndex('requests_same_question')
      .on('requests')
      .columns(['same_question', 'id desc'])
      .where(sql.ref('status'), '=', sql.lit('answered'))
      .where(sql.ref('same_question'), 'is not', null),
    schema
      .createTable('snoozes')
      .addColumn('request', 'text', column => column.notNull())
      .addColumn('person', 'text', column => column.notNull())
      .addColumn('until', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('snoozes_person', ['person', 'request']),
    schema
      .createTable('attachments')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('request', 'text', column => column.notNull())
      .addColumn('bytes', bytes, column => column.notNull()),
    schema.createIndex('attachments_request').on('attachments').column('request'),
    schema
      .createTable('answer_rules')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('binding', 'text', column => column.notNull())
      .addColumn('rule', 'text', column => column.notNull())
      .addColumn('request', 'text')
      .addColumn('made_by', 'text', column => column.notNull())
      .addColumn('channel', 'text', column => column.notNull())
      .addColumn('made_at', 'bigint', column => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('removed_at', 'bigint')
      .addColumn('removed_by', 'text'),
    schema
      .createIndex('answer_rules_binding')
      .on('answer_rules')
      .column('binding')
      .where(sql.ref('removed_at'), 'is', null),
  ]
}
