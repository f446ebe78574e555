import type { Migration } from './migration.ts'

/** For a session: the name of its browser, and the hash of its page's secret. */
export const addDevices: Migration = db => [
  db.schema.alterTable('tokens').addColumn('device', 'text'),
  db.schema.alterTable('tokens').addColumn('page', 'text'),
]
