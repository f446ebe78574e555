import type { Migration } from './migration.ts'

/** By its handle, a message is found again where it was sent to, and says there that its request is settled. */
export const addHandles: Migration = db => [db.schema.alterTable('outbox').addColumn('handle', 'text')]
