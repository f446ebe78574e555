import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Kind } from '../../protocol/index.ts'
import type { Tables } from '../schema.ts'
import { hasWords } from './match-word.ts'
import { inboxColumns, openRequests } from './open-requests.ts'
import { rangesOf } from './search.ts'
import { compilable } from './settle.ts'
import { byIds } from './shared.ts'

// The inbox is made of pending requests only. What looks at all of them reads the index requests_inbox alone; no statement
// here reads the body of a request, except the one that looks for words.

/** More alike requests of one agent than this are one row. */
export const mostUnfolded = 3
const mostGroups = 50
/** So many requests are read by their ids more quickly than the whole index of the inbox. */
const mostLookups = 5_000

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

/** A request that may be in a row. */
export interface InboxCandidateRow extends InboxPosition {
  alike: string | null
  directory: string | null
  agent_name: string
}

/** Alike requests that are one row, which stands where the newest of them is. */
export interface InboxFoldRow {
  alike: string
  members: number
  newest: string
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
  return {
    counts,
    found,
    places,
    urgentIds,
    urgentPlaces,
    newestCalm,
    calmFolds,
    details,
    newest,
    nextSlice,
    matching,
    matchingWithin,
    matchingOf,
  }

  /** Counts everything once, in groups that are few, and adds those up; then takes away what the person has snoozed. */
  function counts(reader: InboxReader) {
    const { upTo } = reader
    return compilable<InboxCountRow>(
      db,
      sql`with asked as (
          select directory, agent_name, count(*) as waiting, ${countWhere(isUrgent(reader))} as urgent
          from ${openRequests(kind)} where id <= ${upTo} group by directory, agent_name
        ),
        hidden as (
          select directory, agent_name, count(*) as snoozed, ${countWhere(isUrgent(reader))} as urgent
          from requests where status = 'pending' and id <= ${upTo} and ${isHidden(reader)}
          group by directory, agent_name
        ),
        grouped as (
          select directory, agent_name, waiting, urgent, 0 as snoozed from asked
          union all select directory, agent_name, -snoozed, -urgent, snoozed from hidden
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
      from grouped group by ${name} having sum(waiting) > 0
      order by case when sum(urgent) > 0 then 0 else 1 end, sum(waiting) desc, ${name} limit ${sql.lit(mostGroups)}`
  }

  function found(reader: InboxReader, conditions: InboxConditions) {
    return compilable<{ count: number }>(
      db,
      sql`select count(*) as count from (${matches(reader, conditions)}) as found`,
    )
  }

  /**
   * The rows of a page in their order, with alike ones folded into the newest of them. They are of one project and agent, which
   * are named only to group them in the order of SQLite's index.
   */
  function places(reader: InboxReader, conditions: InboxConditions, after: InboxPosition | null, limit: number) {
    const beyond = after
      ? sql`and (found.urgency < ${after.urgency} or (found.urgency = ${after.urgency} and found.id < ${after.id}))`
      : sql``
    const folds = conditions.alike === null ? sql`folds.alike is not null` : sql`1 = 0`
    // A fold never mixes what is urgent with what is not.
    const members = sql`case when found.urgency > 0 then folds.urgent else folds.calm end`
    const newest = sql`case when found.urgency > 0 then folds.newest_urgent else folds.newest_calm end`
    const isFolded = sql`(${folds} and ${members} > ${sql.lit(mostUnfolded)})`
    // PostgreSQL expects a search to find few, and would else make the folds again for each.
    return compilable<InboxPlaceRow>(
      db,
      sql`with found as (${matches(reader, conditions)}),
        folds as materialized (
          select alike, ${countWhere(sql`urgency = 0`)} as calm, max(case when urgency = 0 then id end) as newest_calm,
            ${countWhere(sql`urgency > 0`)} as urgent, max(case when urgency > 0 then id end) as newest_urgent
          from found where alike is not null group by directory, agent_name, alike
          having count(*) > ${sql.lit(mostUnfolded)}
        )
        select found.id, found.urgency, case when ${isFolded} then ${members} end as members
        from found left join folds on folds.alike = found.alike
        where (not ${isFolded} or ${newest} = found.id) ${beyond}
        order by found.urgency desc, found.id desc limit ${limit} + 0`,
    )
  }

  /** Those that may be urgent, whether or not the person has snoozed them, by their indexes; of each cause at most `most`. */
  function urgentIds({ soon, upTo }: InboxReader, most: number) {
    return compilable<{ id: string }>(
      db,
      sql`select id from (
          select id from requests where status = 'pending' and danger >= 3 and id <= ${upTo} limit ${most} + 0
        ) as dangerous
        union
        select id from (
          select id from requests where status = 'pending' and due is not null and due < ${soon} and on_timeout <> 'remind'
            and id <= ${upTo} limit ${most} + 0
        ) as due_soon`,
    )
  }

  /** Those among the given that are urgent and meet the conditions, in their order. */
  function urgentPlaces(reader: InboxReader, conditions: InboxConditions, ids: readonly string[]) {
    const rows = sql`requests where status = 'pending' and id in (${elements(ids)})`
    return compilable<InboxCandidateRow>(
      db,
      sql`${matches(reader, conditions, rows)} and ${isUrgent(reader)} order by urgency desc, id desc`,
    )
  }

  /** Those among the newest `most` that are not urgent and meet the conditions, newest first. */
  function newestCalm(reader: InboxReader, conditions: InboxConditions, before: string | null, most: number) {
    const beyond = before === null ? sql`` : sql`and id < ${before}`
    const rows = sql`(select ${inboxColumns} from requests where status = 'pending' and id <= ${reader.upTo} ${beyond}
      order by id desc limit ${most} + 0) as newest where 1 = 1`
    return compilable<InboxCandidateRow>(
      db,
      sql`${matches(reader, conditions, rows)} and not ${isUrgent(reader)} order by id desc`,
    )
  }

  /** The folds that these requests, which are not urgent, are in. */
  function calmFolds(reader: InboxReader, conditions: InboxConditions, of: readonly InboxCandidateRow[]) {
    return compilable<InboxFoldRow>(
      db,
      sql`select alike, count(*) as members, max(id) as newest
        from (${matches(reader, conditions, alikeTo(of, reader))} and not ${isUrgent(reader)}) as found
        group by alike having count(*) > ${sql.lit(mostUnfolded)}`,
    )
  }

  /** Alike requests are of one project and agent, which come first in SQLite's index. */
  function alikeTo(rows: readonly InboxCandidateRow[], { upTo }: InboxReader) {
    const named = rows.filter(row => row.alike !== null)
    if (kind === 'postgres') {
      const all = elements(named.map(row => row.alike ?? ''))
      return sql`${openRequests(kind)} where id <= ${upTo} and alike = any(array(${all}))`
    }
    const list = JSON.stringify(named.map(row => [row.directory, row.agent_name, row.alike]))
    return sql`(
        select distinct value ->> 0 as in_directory, value ->> 1 as of_agent, value ->> 2 as is_alike from json_each(${list})
      ) as named cross join requests indexed by requests_inbox
      where directory is in_directory and agent_name = of_agent and alike = is_alike and status = 'pending'
        and requests.id <= ${upTo}`
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
  function nextSlice(before: string, size: number, to: string) {
    return compilable<{ id: string }>(
      db,
      sql`select id from requests where status = 'pending' and id < ${before} and id >= ${to}
        order by id desc limit 1 offset ${size} + 0`,
    )
  }

  /** Those with all words, from before one id down to the next slice, or to the last one. */
  function matching(words: readonly string[], before: string, { next, to }: { next: string | null; to: string }) {
    const down = next === null ? sql`and id >= ${to}` : sql`and id > ${next}`
    return compilable<{ id: string }>(
      db,
      sql`select id from requests where status = 'pending' and id < ${before} ${down}
        and ${hasWords(kind, words)} order by id desc`,
    )
  }

  /** Those with all words in these ranges. PostgreSQL expects much of a range, and would else read the whole table. */
  function matchingWithin(words: readonly string[], ranges: readonly [string, string][]) {
    const within = sql`status = 'pending' and requests.id >= low and requests.id < high`
    const found =
      kind === 'sqlite'
        ? sql`requests indexed by requests_open where ${within} and ${hasWords(kind, words)}`
        : sql`lateral (select * from requests where ${within} offset 0) as requests where ${hasWords(kind, words)}`
    return compilable<{ id: string }>(
      db,
      sql`select id from ${rangesOf(kind, JSON.stringify(ranges))} cross join ${found}`,
    )
  }

  /** Those with all words among these. */
  function matchingOf(words: readonly string[], ids: readonly string[]) {
    return compilable<{ id: string }>(
      db,
      sql`select id from ${byIds(kind, ids)} and status = 'pending'
        and ${hasWords(kind, words)}`,
    )
  }

  /** The most dangerous have the highest urgency. */
  function matches(reader: InboxReader, given: InboxConditions, rows = allOpen(reader, given)) {
    const conditions = [
      given.view === 'snoozed' ? isHidden(reader) : sql`not ${isHidden(reader)}`,
      ...(given.view === 'urgent' ? [isUrgent(reader)] : []),
      ...(given.directory === null ? [] : [sql`directory = ${given.directory}`]),
      ...(given.agent === null ? [] : [sql`agent_name = ${given.agent}`]),
      ...(given.run === null ? [] : [sql`run = ${given.run}`]),
      ...(given.kind === null ? [] : [sql`kind = ${given.kind}`]),
      ...(given.createdBefore === null ? [] : [sql`created_at < ${given.createdBefore}`]),
      ...(given.alike === null ? [] : [sql`alike = ${given.alike}`]),
    ]
    return sql`select id, case when danger >= 3 then danger when ${isDueSoon(reader)} then 1 else 0 end as urgency,
        alike, directory, agent_name
      from ${rows} and ${sql.join(conditions, sql` and `)}`
  }

  function allOpen({ upTo }: InboxReader, { ids }: InboxConditions) {
    if (ids === null) return sql`${openRequests(kind)} where id <= ${upTo}`
    // More than a few are found more quickly in the index of the inbox, which PostgreSQL would compare with the whole list.
    const isLong = kind === 'sqlite' && ids.length > mostLookups
    const rows = isLong
      ? sql`${openRequests(kind)} where id in (${elements(ids)})`
      : sql`${byIds(kind, ids)} and status = 'pending'`
    return sql`${rows} and id <= ${upTo}`
  }

  /** What a deadline is about to decide comes back from a snooze. */
  function isHidden(reader: InboxReader) {
    return sql`(not ${isDueSoon(reader)} and id in (${snoozed(reader)}))`
  }

  function snoozed({ person, now }: InboxReader) {
    return sql`select snoozes.request from snoozes where snoozes.person = ${person} and snoozes.until > ${now}`
  }

  function isUrgent(reader: InboxReader) {
    return sql`(danger >= 3 or ${isDueSoon(reader)})`
  }

  function isDueSoon({ soon }: InboxReader) {
    return sql`(on_timeout <> 'remind' and coalesce(deadline, ${soon}) < ${soon})`
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
  return sql`count(case when ${condition} then 1 end)`
}
