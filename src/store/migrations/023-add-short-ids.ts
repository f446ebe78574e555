import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * People type the end of an id, because the beginning is the time and looks alike for all of today. The last three letters
 * lead to a few rows; the rest is compared there. `idsEndingWith` in statements/short-ids.ts repeats the expression.
 */
export const addShortIds: Migration = db =>
  (['requests', 'runs', 'checkpoints'] as const).map(table =>
    db.schema.createIndex(`${table}_end_of_id`).on(table).expression(sql`substr(id, length(id) - 2)`),
  )
