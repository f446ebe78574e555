import type { Migration } from './migration.ts'

/** Which browser a session is, in words for the person who looks through them. */
export const addDevices: Migration = db => [db.schema.alterTable('tokens').addColumn('device', 'text')]
