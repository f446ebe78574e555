import type { Migration } from './migration.ts'

/** Why a run failed or was stopped; and messages are about requests or about failed runs. */
export const addRunReason: Migration = db => [
  db.schema.alterTable('runs').addColumn('reason', 'text'),
  db.schema.alterTable('outbox').renameColumn('request', 'subject'),
]
