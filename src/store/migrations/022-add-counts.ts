import { sql } from 'kysely'
import type { Migration } from './migration.ts'

// As in 018, with what says how severe an approval is.
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
  'detail',
] as const

const literals = (...words: string[]) => words.map(word => sql.lit(word))

/**
 * What statistics are read from without a look at whole requests: how severe waiting approvals are, which decisions nobody
 * has taken, which runs go on; and the sums of what happened, which outlive the events that they were counted from. Also
 * the trace that a request was asked in.
 */
export const addCounts: Migration = (db, kind) => {
  const { schema } = db
  return [
    schema.alterTable('requests').addColumn('traceparent', 'text'),
    schema
      .createTable('counts')
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('value', 'bigint', column => column.notNull()),
    schema
      .createIndex('requests_undelivered')
      .on('requests')
      .columns(['settled_at', 'kind'])
      .where(sql.ref('delivered_at'), 'is', null)
      .where(sql.ref('status'), 'in', literals('answered', 'skipped', 'declined')),
    // PostgreSQL has none of these columns in the index: it stores long bodies outside of rows.
    ...(kind === 'sqlite'
      ? [
          schema.dropIndex('requests_inbox'),
          schema
            .createIndex('requests_inbox')
            .on('requests')
            .columns([...sortedBy])
            .where(sql.ref('status'), '=', sql.lit('pending')),
        ]
      : []),
    schema
      .createIndex('runs_active')
      .on('runs')
      .column('status')
      .where(sql.ref('status'), 'in', literals('starting', 'running', 'paused', 'asleep')),
  ]
}
