import { type Kysely, type RawBuilder, sql } from 'kysely'
import { settlingEvents } from '../../protocol/event-types.ts'
import { prepare } from '../prepare.ts'
import type { RequestRow, SearchGramRow, SearchSegmentRow, Tables } from '../schema.ts'
import { compilable } from './settle.ts'
import { one, upTo } from './shared.ts'

// The index of searches. Segments follow each other in the order of ids, and so do their numbers.

export type SearchedRow = Pick<
  RequestRow,
  'id' | 'body' | 'context' | 'agent' | 'agent_name' | 'outcome' | 'title' | 'directory' | 'session'
>

/** What the index has to learn about a request that it knows, or that came late. */
export interface ChangedRow extends SearchedRow {
  /** 1 where it was asked, and not only settled. */
  is_new: number
  segment: number
  block: number
}

const searched = [
  'id',
  'body',
  'context',
  'agent',
  'agent_name',
  'outcome',
  'title',
  'directory',
  'session',
] as const satisfies (keyof SearchedRow)[]

export interface Grams {
  /** The lowest and the highest segment. */
  from: number
  to: number
  bucket: number
  slot: string
}

export interface Span {
  /** JSON: pairs of ids, the first one within and the second one beyond. */
  ranges: string
  /** Around all of them. */
  lowest: string
  beyond: string
  /** The event that the index was last brought up to date with. */
  event: number
}

// What changes what a request is found by.
const indexedEvents = sql.join([...settlingEvents, 'request.created'].map(type => sql.lit(type)))

export function searchStatements(db: Kysely<Tables>, kind: 'sqlite' | 'postgres') {
  const isSqlite = kind === 'sqlite'
  const position = isSqlite
    ? (slot: string) => sql<number>`instr(grams.slots, ${slot})`
    : (slot: string) => sql<number>`strpos(grams.slots, ${slot})`
  return {
    /** The number of the newest event goes along: how far the index is behind. */
    searchState: prepare<{ id: string }, { name: string; value: string; last: number; beyond: number }>(value =>
      compilable(
        db,
        sql`select name, value, (select last from event_counter) as last,
            case when ${value('id')} > value then 1 else 0 end as beyond
          from meta where name in ('search_end', 'search_event')`,
      ),
    ),

    segmentsBefore: prepare<{ after: string; limit: number }, { segment: number; first: string }>(value =>
      compilable(
        db,
        sql`select segment, ${begin()} as first from search_segments where state = 'ready'
            and (first < ${value('after')} or segment = ${lowest()})
          order by segment desc limit ${value('limit')} + 0`,
      ),
    ),

    segmentsAfter: prepare<{ after: string; limit: number }, { segment: number; first: string }>(value =>
      compilable(
        db,
        sql`select segment, ${begin()} as first from search_segments where state = 'ready' and segment >= coalesce(
            (select max(earlier.segment) from search_segments as earlier
              where earlier.state = 'ready' and earlier.first <= ${value('after')}), 0)
          order by segment limit ${value('limit')} + 0`,
      ),
    ),

    anySegment: prepare<object, { segment: number }>(() =>
      db.selectFrom('search_segments').select('segment').where('state', '=', 'ready').limit(one),
    ),

    starts: prepare<{ segments: string }, Pick<SearchSegmentRow, 'segment' | 'starts'>>(value =>
      compilable(db, sql`select segment, starts from search_segments where segment in (${numbers(value('segments'))})`),
    ),

    /** Where a gram occurs; its masks are read, and not those of the whole bucket. */
    gramMasks: prepare<Grams, { segment: number; masks: Buffer }>(value =>
      compilable(
        db,
        sql`select grams.segment, substr(grams.masks, ${position(value('slot'))} * 8 - 7, 8) as masks
          from ${ofBucket(value)} and ${position(value('slot'))} > 0`,
      ),
    ),

    bucketMasks: prepare<Omit<Grams, 'slot'>, { segment: number; masks: Buffer }>(value =>
      compilable(db, sql`select grams.segment, grams.masks from ${ofBucket(value)}`),
    ),

    /** Ids in the ranges, and those that the index does not know in their present state. */
    idsWithin: prepare<Span, { id: string }>(value =>
      compilable(
        db,
        sql`select id from ${rangesOf(kind, value('ranges'))} cross join requests where id >= low and id < high
          union ${changed(value)}`,
      ),
    ),

    /** Those that the index does not know in their present state. */
    changedWithin: prepare<Omit<Span, 'ranges'>, { id: string }>(value =>
      compilable(db, sql`select distinct changed.id from (${changed(value)}) as changed`),
    ),

    lastBetween: prepare<{ after: string; beyond: string }, { id: string | null }>(value =>
      compilable(db, sql`select max(id) as id from requests where id > ${value('after')} and id < ${value('beyond')}`),
    ),

    // From here on: for building it.

    nthRequest: prepare<{ from: string; offset: number }, { id: string }>(value =>
      compilable(
        db,
        sql`select id from requests where id >= ${value('from')} order by id limit 1 offset ${value('offset')} + 0`,
      ),
    ),

    /** From an id on, or after one. */
    searchedFrom: prepare<{ from: string; after: string; limit: number }, SearchedRow>(value =>
      db
        .selectFrom('requests')
        .select(searched)
        .where('id', '>=', value('from'))
        .where('id', '>', value('after'))
        .orderBy('id')
        .limit(upTo(value('limit'))),
    ),

    nthChange: prepare<{ after: number; offset: number }, { id: number }>(value =>
      compilable(
        db,
        sql`select id from events where id > ${value('after')} and type in (${indexedEvents})
          order by id limit 1 offset ${value('offset')} + 0`,
      ),
    ),

    /** What was asked or settled between two events and is within the index, with its segment and block. */
    changedBetween: prepare<{ after: number; to: number; end: string }, ChangedRow>(value =>
      compilable(
        db,
        sql`select ${sql.join(searched.map(column => sql.ref(`requests.${column}`)))}, changed.is_new, segments.segment,
            coalesce((${blockOf(sql`segments.starts`, sql`requests.id`)}), 0) as block
          from (
            select request, max(case when type = 'request.created' then 1 else 0 end) as is_new from events
            where id > ${value('after')} and id <= ${value('to')} and type in (${indexedEvents}) group by request
          ) as changed
          join requests on requests.id = changed.request
          join search_segments as segments on segments.segment = coalesce(
            (select max(segment) from search_segments where state = 'ready' and first <= requests.id), ${lowest()})
          where requests.id < ${value('end')}`,
      ),
    ),

    /** If it is still held by the same builder. */
    renewLease: prepare<{ held: string; renewed: string }, { name: string }>(value =>
      db
        .updateTable('meta')
        .set({ value: value('renewed') })
        .where('name', '=', 'search_lease')
        .where('value', 'like', value('held'))
        .returning('name'),
    ),

    insertSegment: prepare<{ first: string }, { segment: number }>(value =>
      compilable(
        db,
        sql`insert into search_segments (segment, state, first, starts)
          select coalesce(max(segment), 0) + 1, 'building', cast(${value('first')} as text), '[]' from search_segments
          returning segment`,
      ),
    ),

    publishSegment: prepare<{ segment: number; starts: string }>(value =>
      db
        .updateTable('search_segments')
        .set({ state: 'ready', starts: value('starts') })
        .where('segment', '=', value('segment'))
        .where('state', '=', 'building'),
    ),

    /** JSON, as one value: a list of buckets, slots and masks in hexadecimal. */
    saveBuckets: prepare<{ segment: number; buckets: string }>(value =>
      compilable(
        db,
        sql`insert into search_grams (segment, bucket, slots, masks)
          select ${cast(value('segment'))}, ${
            isSqlite
              ? sql`value ->> 0, value ->> 1, unhex(value ->> 2) from json_each(${value('buckets')}) where true`
              : sql`(value ->> 0)::integer, value ->> 1, decode(value ->> 2, 'hex')
                from json_array_elements(${value('buckets')}::json)`
          }
          on conflict (segment, bucket) do update set slots = excluded.slots, masks = excluded.masks`,
      ),
    ),

    buckets: prepare<{ segment: number; buckets: string }, Omit<SearchGramRow, 'segment'>>(value =>
      compilable(
        db,
        sql`select bucket, slots, masks from search_grams
          where segment = ${value('segment')} and bucket in (${numbers(value('buckets'))})`,
      ),
    ),

    /** Those that were not built to the end, by anybody who is not building now. */
    abandonSegments: prepare<object>(() =>
      compilable(db, sql`update search_segments set state = 'deleted' where state = 'building'`),
    ),

    /** A segment without any request, among those that begin at this id or before. */
    emptySegment: prepare<{ until: string }, { segment: number }>(value =>
      compilable(
        db,
        sql`select segment from search_segments as this where state = 'ready'
            and (first <= ${value('until')} or segment = ${lowest()})
            and not exists (
              select 1 from requests where id >= ${begin()} and id < coalesce(
                (select next.first from search_segments as next
                  where next.state = 'ready' and next.segment > this.segment order by next.segment limit 1),
                (select value from meta where name = 'search_end'))
            )
          order by segment limit 1`,
      ),
    ),

    deleteSegment: prepare<{ segment: number }, { segment: number }>(value =>
      db
        .updateTable('search_segments')
        .set({ state: 'deleted' })
        .where('segment', '=', value('segment'))
        .returning('segment'),
    ),

    deletedSegment: prepare<object, { segment: number }>(() =>
      db.selectFrom('search_segments').select('segment').where('state', '=', 'deleted').orderBy('segment').limit(one),
    ),

    deleteBuckets: prepare<{ segment: number; limit: number }, { bucket: number }>(value =>
      compilable(
        db,
        sql`delete from search_grams where segment = ${value('segment')} and bucket in (
            select bucket from search_grams where segment = ${value('segment')} order by bucket limit ${value('limit')} + 0
          ) returning bucket`,
      ),
    ),

    forgetSegment: prepare<{ segment: number }>(value =>
      db.deleteFrom('search_segments').where('segment', '=', value('segment')),
    ),
  }

  function lowest() {
    return sql`(select min(lowest.segment) as segment from search_segments as lowest where lowest.state = 'ready')`
  }

  /** A request may come later than one with a higher id: what is below all segments is the lowest one's. */
  function begin() {
    return sql`case when segment = ${lowest()} then '' else first end`
  }

  /** Segment by segment: a bucket is found in each by the primary key. */
  function ofBucket(value: (name: 'from' | 'to' | 'bucket') => number) {
    return sql`search_segments as segments cross join search_grams as grams
      where segments.segment >= ${value('from')} and segments.segment <= ${value('to')} and segments.state = 'ready'
        and grams.segment = segments.segment and grams.bucket = ${value('bucket')}`
  }

  /** The last block that does not begin after the id. */
  function blockOf(starts: RawBuilder<unknown>, id: RawBuilder<unknown>) {
    return isSqlite
      ? sql`select max(key) from json_each(${starts}) where value <= ${id}`
      : sql`select max(place) - 1 from json_array_elements_text(${starts}::json) with ordinality as start(value, place)
          where value <= ${id}`
  }

  function changed(value: (name: 'event' | 'lowest' | 'beyond') => unknown) {
    return sql`select request as id from events where id > ${value('event')} and type in (${indexedEvents})
        and request >= ${value('lowest')} and request < ${value('beyond')}`
  }

  function numbers(list: string) {
    return isSqlite
      ? sql`select value from json_each(${list})`
      : sql`select value::integer from json_array_elements_text(${list}::json)`
  }

  function cast(number: number) {
    return sql`cast(${number} as integer)`
  }
}

/** From a list of pairs, as JSON. */
export function rangesOf(kind: 'sqlite' | 'postgres', ranges: unknown) {
  const list = kind === 'sqlite' ? sql`json_each(${ranges})` : sql`json_array_elements(${ranges}::json) as range(value)`
  return sql`(select value ->> 0 as low, value ->> 1 as high from ${list}) as ranges`
}
