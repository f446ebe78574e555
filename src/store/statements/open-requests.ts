import { type RawBuilder, sql } from 'kysely'

/** What the inbox sorts, counts and filters by. */
export const inboxColumns = sql`id, alike, directory, agent_name, kind, run, created_at, danger, deadline, on_timeout, detail`

// The condition of the indexes in migration 025, to the letter.
const fits = sql`coalesce(octet_length(directory), 0) + octet_length(agent_name) + coalesce(octet_length(run), 0) <= 2000`

/**
 * All open requests, read from the index requests_inbox alone. Its order in SQLite is that of projects and agents, and
 * without a word SQLite would rather read whole rows in the order of their ids. In PostgreSQL the few whose texts are too
 * long for the index are read from the table.
 */
export function openRequests(kind: 'sqlite' | 'postgres'): RawBuilder<unknown> {
  return kind === 'sqlite'
    ? sql`(select ${inboxColumns} from requests indexed by requests_inbox where status = 'pending') as open_requests`
    : sql`(select ${inboxColumns} from requests where status = 'pending' and ${fits}
        union all select ${inboxColumns} from requests where status = 'pending' and not (${fits})) as open_requests`
}
