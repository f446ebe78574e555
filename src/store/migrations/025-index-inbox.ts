import { sql } from 'kysely'
import { compilable } from '../statements/settle.ts'
import type { Migration } from './migration.ts'

/** PostgreSQL refuses an entry of an index that is longer than 2,704 bytes, and these are texts of the asker. */
const fits = sql`coalesce(octet_length(directory), 0) + octet_length(agent_name) + coalesce(octet_length(run), 0) <= 2000`

/**
 * The inbox counts by project and agent, and looks for alike requests, without reading rows: in both databases the index has
 * all that is counted and sorted by. In SQLite its order is that of the counts, so that nothing is sorted for them; alike
 * requests are of one project and agent. The few that are dangerous have an index of their own, and so has what people
 * look for in a long history: how a request ended, other than by an answer. `openRequests` in statements/open-requests.ts
 * and `hasRareStatus` in statements/listing.ts repeat the conditions.
 */
export const indexInbox: Migration = (db, kind) => {
  const { schema } = db
  return [
    schema.dropIndex('requests_inbox'),
    ...(kind === 'sqlite'
      ? [
          sql`create index requests_inbox on requests (directory, agent_name, alike, id, danger, deadline, on_timeout, kind,
            run, created_at, status, detail) where status = 'pending'`,
        ]
      : [
          sql`create index requests_inbox on requests (alike, id)
            include (danger, deadline, on_timeout, kind, run, agent_name, directory, created_at, detail)
            where status = 'pending' and ${fits}`,
          sql`create index requests_inbox_long on requests (id) where status = 'pending' and not (${fits})`,
        ]
    ).map(statement => compilable(db, statement)),
    compilable(db, sql`create index requests_dangerous on requests (id) where status = 'pending' and danger >= 3`),
    compilable(
      db,
      sql`create index requests_rare_status on requests (status, id) where status not in ('pending', 'answered')`,
    ),
  ]
}
