import type { Migration } from './migration.ts'

/** Nothing read it since `sealed.kept` names the rule that gave a value. */
export const dropSealedKeep: Migration = db => [db.schema.alterTable('sealed').dropColumn('keep')]
