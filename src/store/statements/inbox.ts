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

/** Of everything, of one project, or of one agent. */
export interface InboxCountRow {
  what: 'all' | 'project' | 'agent'
  name: string
  waiting: number
  urgent: number
  snoozed: number
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
  return { counts, found, places, details, newest, nextSlice, matching }

  /** Counts everything once, in groups that are few, and adds those up. */
  function counts(reader: InboxReader) {
    return compilable<InboxCountRow>(
      db,
      sql`with pending as (${pending(reader)}),
        grouped as (
          select directory, agent_name, ${countWhere(sql`hidden = 0`)} as waiting,
            ${countWhere(sql`hidden = 0 and urgency > 0`)} as urgent, ${countWhere(sql`hidden = 1`)} as snoozed
          from pending group by directory, agent_name
        ),
        projects as (${largest(sql`coalesce(directory, '')`)}),
        agents as (${largest(sql`agent_name`)})
        select 'all' as what, '' as name, coalesce(sum(waiting), 0) as waiting, coalesce(sum(urgent), 0) as urgent,
          coalesce(sum(snoozed), 0) as snoozed from grouped
        union all select 'project', name, waiting, urgent, 0 from projects
        union all select 'agent', name, waiting, urgent, 0 from agents`,
    )
  }

  /** None with something urgent is left out for one without. */
  function largest(name: RawBuilder<unknown>) {
    return sql`select ${name} as name, sum(waiting) as waiting, sum(urgent) as urgent
      from grouped where waiting > 0 group by ${name}
      order by case when sum(urgent) > 0 then 0 else 1 end, sum(waiting) desc, ${name} limit ${sql.lit(mostGroups)}`
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
    const folds = conditions.alike === null ? sql`folds.alike is not null` : sql`1 = 0`
    // A fold never mixes what is urgent with what is not.
    const members = sql`case when found.urgency > 0 then folds.urgent else folds.calm end`
    const newest = sql`case when found.urgency > 0 then folds.newest_urgent else folds.newest_calm end`
    const isFolded = sql`(${folds} and ${members} > ${sql.lit(mostUnfolded)})`
    return compilable<InboxPlaceRow>(
      db,
      sql`with found as (${matches(reader, conditions)}),
        folds as (
          select alike, ${countWhere(sql`urgency = 0`)} as calm, max(case when urgency = 0 then id end) as newest_calm,
            ${countWhere(sql`urgency > 0`)} as urgent, max(case when urgency > 0 then id end) as newest_urgent
          from found where alike is not null group by alike having count(*) > ${sql.lit(mostUnfolded)}
        )
        select found.id, found.urgency, case when ${isFolded} then ${members} end as members
        from found left join folds on folds.alike = found.alike
        where (not ${isFolded} or ${newest} = found.id) ${beyond}
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

  /** The most dangerous have the highest urgency. What a deadline is about to decide comes back from a snooze. */
  function pending({ person, now, soon, upTo }: InboxReader) {
    // SQLite would rather read whole rows in the order of their ids.
    const index = kind === 'sqlite' ? sql`indexed by requests_inbox` : sql``
    const isDueSoon = sql`(on_timeout <> 'remind' and coalesce(deadline, ${soon}) < ${soon})`
    return sql`select id, alike, directory, agent_name, kind, run, created_at,
        case when danger >= 3 then danger when ${isDueSoon} then 1 else 0 end as urgency,
        case when not ${isDueSoon}
          and id in (select snoozes.request from snoozes where snoozes.person = ${person} and snoozes.until > ${now})
          then 1 else 0 end as hidden
      from requests ${index} where status = 'pending' and id <= ${upTo}`
  }

  /** As one value: a statement takes a limited number of them. */
  function elements(ids: readonly string[]) {
    const list = JSON.stringify(ids)
    return kind === 'sqlite'
      ? sql`select value from json_each(${list})`
      : sql`select json_array_elements_text(${list}::json)`
  }
}

function countWhere(condition: RawBuilder<unknown>) {
  return sql`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`
}
