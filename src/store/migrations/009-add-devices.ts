import type { Migration } from './migration.ts'

/** Which browser a session is, in words for the person who looks through them; and the hash of its page's secret. */
export const addDevices: Migration = db => [
  db.schema.alterTable('tokens').addColumn('device', 'text'),
  db.schema.alterTable('tokens').addColumn('page', 'text'),
]
