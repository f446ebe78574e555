import { type Kysely, type RawBuilder, sql } from 'kysely'
import { settlingEvents } from '../../protocol/event-types.ts'
import { prepare } from '../prepare.ts'
import type { Tables } from '../schema.ts'
import { openRequests } from './open-requests.ts'
import { compilable } from './settle.ts'

/** Pending requests of one kind, and of one severity where they are approvals. */
export interface WaitingRow {
  kind: string
  severity: string | null
  count: number
  /** When the oldest was asked. */
  oldest: number
}

/** What people decided and the asker has not taken. */
export interface UndeliveredRow {
  kind: string
  count: number
  /** When the oldest was settled. */
  oldest: number
}

/** Events that are alike: of one type, about requests of one kind and severity. */
export interface EventGroupRow {
  type: string
  kind: string
  severity: string | null
  /** Through which somebody settled it. */
  channel: string | null
  /** How many of the given limits, in milliseconds, the time is beyond. */
  bucket: number
  count: number
  /** From the ask to the settlement or, of deliveries, from the settlement to the delivery, in milliseconds. */
  time: number
}

export interface EventRange {
  after: number
  upTo: number
  limits: readonly number[]
}

export function statisticStatements(db: Kysely<Tables>, kind: 'sqlite' | 'postgres') {
  return {
    waitingByKind: prepare<object, WaitingRow>(() =>
      compilable(
        db,
        sql`select kind, case when kind = 'approval' then coalesce(detail, 'none') end as severity, count(*) as count,
            min(created_at) as oldest
          from ${openRequests(kind)}
          group by kind, case when kind = 'approval' then coalesce(detail, 'none') end`,
      ),
    ),

    // The oldest first, and no more than the limit: where askers never confirm, they are without number.
    undelivered: prepare<{ limit: number }, UndeliveredRow>(value =>
      compilable(
        db,
        sql`select kind, count(*) as count, min(settled_at) as oldest from (
            select kind, settled_at from requests
            where delivered_at is null and status in ('answered', 'skipped', 'declined')
            order by settled_at limit ${value('limit')} + 0
          ) as undelivered group by kind`,
      ),
    ),

    waitingMessagesByKind: prepare<object, { kind: string; count: number }>(() =>
      db
        .selectFrom('outbox')
        .leftJoin('targets', 'targets.id', 'outbox.target')
        // What is not a person's target is an address that an asker is called back at.
        .select([sql<string>`coalesce(targets.kind, 'callback')`.as('kind'), sql<number>`count(*)`.as('count')])
        .where('outbox.state', '=', sql.lit('waiting'))
        .groupBy('targets.kind'),
    ),

    activeRunsByStatus: prepare<object, { status: string; count: number }>(() =>
      compilable(
        db,
        sql`select status, count(*) as count from runs where status in ('starting', 'running', 'paused', 'asleep')
          group by status`,
      ),
    ),

    counts: prepare<object, { name: string; value: number }>(() => db.selectFrom('counts').selectAll()),

    addCount: prepare<{ name: string; by: number }>(value =>
      db
        .insertInto('counts')
        .values({ name: value('name'), value: value('by') })
        .onConflict(conflict =>
          conflict.column('name').doUpdateSet({ value: sql<number>`counts.value + excluded.value` }),
        ),
    ),

    eventGroups,
  }

  /** Requests that were deleted are not counted; only old ones are. */
  function eventGroups({ after, upTo, limits }: EventRange) {
    const isDelivery = sql`events.type = 'request.delivered'`
    const time = sql`case when ${isDelivery} then delivered_at - settled_at else coalesce(settled_at - created_at, 0) end`
    const channel =
      kind === 'sqlite' ? sql`json_extract(events.data, '$.channel')` : sql`events.data::json ->> 'channel'`
    return compilable<EventGroupRow>(
      db,
      sql`select type, kind, severity, channel, bucket, count(*) as count, sum(time) as time from (
          select type, kind, severity, channel, time, ${bucketOf(limits)} as bucket from (
            select events.type as type, requests.kind as kind,
              case when requests.kind = 'approval' then coalesce(requests.detail, 'none') end as severity,
              ${channel} as channel, ${time} as time
            from events join requests on requests.id = events.request
            where events.id > ${after} and events.id <= ${upTo}
              and events.type in (${sql.join(countedTypes.map(type => sql.lit(type)))})
          ) as counted
        ) as grouped group by type, kind, severity, channel, bucket`,
    )
  }
}

const countedTypes = ['request.created', 'request.delivered', ...settlingEvents]

function bucketOf(limits: readonly number[]): RawBuilder<unknown> {
  const branches = limits.map((limit, i) => sql`when time <= ${sql.lit(limit)} then ${sql.lit(i)}`)
  return sql`case ${sql.join(branches, sql` `)} else ${sql.lit(limits.length)} end`
}
