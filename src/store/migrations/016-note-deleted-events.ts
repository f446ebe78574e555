import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * The highest number of a deleted event, so that a reader with an older cursor can be told that it missed something.
 * Before, events were deleted from the oldest on: all that are missing come before the first that is left.
 */
export const noteDeletedEvents: Migration = db => [
  db.insertInto('meta').values({
    name: sql.lit('deleted_events'),
    value: sql<string>`cast(coalesce((select min(id) - 1 from events), (select last from event_counter)) as text)`,
  }),
]
