import { ofToken } from '../statements/listing.ts'
import type { Migration } from './migration.ts'

// In the order in which they are listed. Those of people and of runs have indexes of their own.
export const addOwnerIndex: Migration = db => [
  db.schema.createIndex('requests_owner').on('requests').columns(['scope', 'id']).where(ofToken),
]
