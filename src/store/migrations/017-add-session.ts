import type { Migration } from './migration.ts'

/** The session of the agent that asked, by the agent's own name for it. */
export const addSession: Migration = db => [db.schema.alterTable('requests').addColumn('session', 'text')]
