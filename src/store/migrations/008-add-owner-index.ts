import { sql } from 'kysely'
import type { Migration } from './migration.ts'

// For the listing of what was asked with a token and outside of a run. Requests of people and of runs have other indexes.
// `ofToken` in statements/listing.ts repeats this condition; SQLite uses a partial index only for the same expression.
export const addOwnerIndex: Migration = db => [
  db.schema
    .createIndex('requests_owner')
    .on('requests')
    .columns(['scope', 'id'])
    .where(sql<boolean>`substr(scope, 1, 6) = 'token:'`),
]
