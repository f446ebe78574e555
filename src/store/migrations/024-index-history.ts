import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * What a person or an agent waits for takes no longer with a long history: the next ask of the same content in a run
 * (`nextOfContentInRun` in statements/requests.ts repeats the conditions), and the list of runs, of all and of one token.
 */
export const indexHistory: Migration = ({ schema }) => [
  schema.dropIndex('requests_content_in_run'),
  schema
    .createIndex('requests_content_in_run')
    .on('requests')
    .columns(['content', 'id'])
    .where(sql.ref('run'), 'is not', null)
    .where(sql.ref('key'), 'is', null)
    .where(sql.ref('status'), 'not in', [sql.lit('cancelled'), sql.lit('orphaned')]),
  schema
    .createIndex('requests_taken_in_run')
    .on('requests')
    .columns(['content', 'delivered_start', 'id'])
    .where(sql.ref('delivered_start'), 'is not', null)
    .where(sql.ref('key'), 'is', null),
  schema.createIndex('runs_started').on('runs').columns(['started_at', 'id']),
  schema
    .createIndex('runs_of_token')
    .on('runs')
    .columns(['token', 'started_at', 'id'])
    .where(sql.ref('token'), 'is not', null),
]
