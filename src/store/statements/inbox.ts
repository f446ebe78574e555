import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Kind } from '../../protocol/index.ts'
import type { Tables } from '../schema.ts'
import { matchesWord } from './match-word.ts'
import { compilable } from './settle.ts'

// The inbox is made of pending requests only, from the columns of the index requests_inbox: no statement here reads the
// body of a request, except the one that looks for words.

/** More alike requests of one agent than this are one row. */
const mostUnfolded = 3
const mostGroups = 50

/** What a request is worth to a person at a moment: whether it is urgent, and whether they have snoozed it. */
export interface InboxReader {
  person: string
  now: number
  /** A deadline before this time is urgent, if it settles the request. */
  soon: number
  /** Only requests up to this id, so that new ones do not move the pages of a list. */
  upTo: string
}

export interface InboxConditions {
  view: 'urgent' | 'waiting' | 'snoozed'
  directory: string | null
  agent: string | null
  run: string | null
  kind: Kind | null
  createdBefore: number | null
  /** Those that a search has found. */
  ids: readonly string[] | null
  /** Lists requests that are alike, and folds none. */
  alike: string | null
}

/** Where a page begins: after the row with this urgency and id. */
export interface InboxPosition {
  urgency: number
  id: string
}

export interface InboxPlaceRow extends InboxPosition {
  /** How many are folded into the row, with itself; null where it is alone. */
  members: number | null
}

export interface InboxGroupRow {
  name: string
  count: number
  urgent: number
}

export interface InboxDetailRow {
  id: string
  kind: string
  title: string | null
  agent_name: string
  directory: string | null
  run: string | null
  session: string | null
  detail: string | null
  parts: number | null
  created_at: number
  deadline: number | null
  on_timeout: string
  alike: string | null
  last_message: string | null
  until: number | null
}

export function inboxStatements(db: Kysely<Tables>, kind: 'sqlite' | 'postgres') {
  return { counts, groups, found, places, details, newest, nextSlice, matching }

  function counts(reader: InboxReader) {
    return compilable<{ urgent: number; waiting: number; snoozed: number }>(
      db,
      sql`select ${countWhere(sql`hidden = 0 and urgency > 0`)} as urgent, ${countWhere(sql`hidden = 0`)} as waiting,
          ${countWhere(sql`hidden = 1`)} as snoozed
        from (${pending(reader)}) as pending`,
    )
  }

  /** The largest groups, but none with something urgent is left out for one without. */
  function groups(reader: InboxReader, column: 'directory' | 'agent_name') {
    return compilable<InboxGroupRow>(
      db,
      sql`select coalesce(${sql.ref(column)}, '') as name, count(*) as count, ${countWhere(sql`urgency > 0`)} as urgent
        from (${pending(reader)}) as pending where hidden = 0 group by ${sql.ref(column)}
        order by case when ${countWhere(sql`urgency > 0`)} > 0 then 0 else 1 end, count(*) desc, ${sql.ref(column)}
        limit ${sql.lit(mostGroups)}`,
    )
  }

  function found(reader: InboxReader, conditions: InboxConditions) {
    return compilable<{ count: number }>(
      db,
      sql`select count(*) as count from (${matches(reader, conditions)}) as found`,
    )
  }

  /** The rows of a page in their order, with alike ones folded into the newest of them. */
  function places(reader: InboxReader, conditions: InboxConditions, after: InboxPosition | null, limit: number) {
    const beyond = after
      ? sql`and (found.urgency < ${after.urgency} or (found.urgency = ${after.urgency} and found.id < ${after.id}))`
      : sql``
    // A fold never mixes what is urgent with what is not.
    return compilable<InboxPlaceRow>(
      db,
      sql`with found as (${matches(reader, conditions)}),
        folds as (
          select alike, urgency, count(*) as members, max(id) as newest from found
          where alike is not null and ${sql.lit(conditions.alike === null ? 1 : 0)} = 1
          group by alike, urgency having count(*) > ${sql.lit(mostUnfolded)}
        )
        select found.id, found.urgency, folds.members
        from found left join folds on folds.alike = found.alike and folds.urgency = found.urgency
        where (folds.newest is null or folds.newest = found.id) ${beyond}
        order by found.urgency desc, found.id desc limit ${limit} + 0`,
    )
  }

  function details(person: string, ids: readonly string[]) {
    const last =
      kind === 'sqlite'
        ? sql<string>`json_extract(messages, '$[#-1].from')`
        : sql<string>`messages::json -> -1 ->> 'from'`
    return compilable<InboxDetailRow>(
      db,
      sql`select id, kind, title, agent_name, directory, run, session, detail, parts, created_at, deadline, on_timeout,
          alike, ${last} as last_message,
          (select until from snoozes where snoozes.request = requests.id and snoozes.person = ${person}) as until
        from requests where id in (${sql.join(ids)}) and status = 'pending'`,
    )
  }

  function newest() {
    return compilable<{ id: string }>(
      db,
      sql`select id from requests where status = 'pending' order by id desc limit 1`,
    )
  }

  /** The first request that a search of this size does not look at; none where fewer are left. */
  function nextSlice(from: string, size: number) {
    return compilable<{ id: string }>(
      db,
      sql`select id from requests where status = 'pending' and id <= ${from} order by id desc limit 1 offset ${size} + 0`,
    )
  }

  /** Those with all words, from one id down to before the next slice. */
  function matching(words: readonly string[], from: string, next: string | null) {
    const down = next === null ? sql`` : sql`and id > ${next}`
    return compilable<{ id: string }>(
      db,
      sql`select id from requests where status = 'pending' and id <= ${from} ${down}
        and ${sql.join(words.map(matchesWord), sql` and `)} order by id desc`,
    )
  }

  function matches(reader: InboxReader, given: InboxConditions) {
    const conditions = [
      given.view === 'snoozed' ? sql`hidden = 1` : sql`hidden = 0`,
      ...(given.view === 'urgent' ? [sql`urgency > 0`] : []),
      ...(given.directory === null ? [] : [sql`directory = ${given.directory}`]),
      ...(given.agent === null ? [] : [sql`agent_name = ${given.agent}`]),
      ...(given.run === null ? [] : [sql`run = ${given.run}`]),
      ...(given.kind === null ? [] : [sql`kind = ${given.kind}`]),
      ...(given.createdBefore === null ? [] : [sql`created_at < ${given.createdBefore}`]),
      ...(given.alike === null ? [] : [sql`alike = ${given.alike}`]),
      ...(given.ids === null ? [] : [sql`id in (${elements(given.ids)})`]),
    ]
    return sql`select id, urgency, alike from (${pending(reader)}) as pending where ${sql.join(conditions, sql` and `)}`
  }

  /** As one value: a statement takes a limited number of them. */
  function elements(ids: readonly string[]) {
    const list = JSON.stringify(ids)
    return kind === 'sqlite'
      ? sql`select value from json_each(${list})`
      : sql`select json_array_elements_text(${list}::json)`
  }
}

/** The most dangerous have the highest urgency. What a deadline is about to decide comes back from a snooze. */
function pending({ person, now, soon, upTo }: InboxReader) {
  const isDueSoon = sql`(on_timeout <> 'remind' and coalesce(deadline, ${soon}) < ${soon})`
  return sql`select id, alike, directory, agent_name, kind, run, created_at,
      case when danger >= 3 then danger when ${isDueSoon} then 1 else 0 end as urgency,
      case when not ${isDueSoon}
        and id in (select snoozes.request from snoozes where snoozes.person = ${person} and snoozes.until > ${now})
        then 1 else 0 end as hidden
    from requests where status = 'pending' and id <= ${upTo}`
}

function countWhere(condition: RawBuilder<unknown>) {
  return sql`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`
}
