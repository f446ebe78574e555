import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { RequestRow, Tables } from '../schema.ts'
import { compilable, type Settlement, settlePending, valuesOf } from '../statements/settle.ts'

// What is sent together with COMMIT. The counter row is taken last, together with the events that it numbers: number order
// is commit order, and the row is locked for no longer than the commit itself.

/** Where commits are announced with NOTIFY. */
export const channel = 'beckon'

/** Values: how many, when, and the types, requests, runs and documents of the events. */
export const appendEvents = `with counter as (update event_counter set last = last + $1 returning last)
  insert into events (id, type, at, request, run, data)
  select (select last from counter) - $1 + fresh.n, fresh.type, $2, fresh.request, fresh.run, fresh.data
  from unnest($3::text[], $4::text[], $5::text[], $6::text[])
    with ordinality as fresh (type, request, run, data, n)
  returning id, pg_notify('${channel}', '')`

type OneSettlement = Settlement & { type: string; data: string }

interface ManySettlements {
  at: number
  ids: readonly string[]
  statuses: readonly string[]
  outcomes: readonly string[]
  types: readonly string[]
  data: readonly string[]
}

/** A settled request, with the number of the event that announces it. */
export type AnnouncedRow = RequestRow & { event: number }

export type CommitStatements = ReturnType<typeof commitStatements>

/** Each decides, numbers and announces in one statement. What somebody else has settled drops out at the first step. */
export function commitStatements(db: Kysely<Tables>) {
  const notify = sql`pg_notify(${sql.lit(channel)}, '')`
  return {
    // Usually it is one alone, which is half the work for the server.
    settleOne: prepare<OneSettlement, AnnouncedRow>(value =>
      compilable(
        db,
        sql`with settled as (
            ${settlePending(valuesOf(value))} returning *
          ), counter as (
            update event_counter set last = last + 1 where exists (select from settled) returning last
          ), announced as (
            insert into events (id, type, at, request, run, data)
            select (select last from counter), ${value('type')}, settled_at, id, run, ${value('data')} from settled
            returning ${notify}
          )
          select settled.*, (select last from counter) as event from settled`,
      ),
    ),

    // Arrays, not a table of what was decided: with few rows expected, PostgreSQL would compare each of it with each request.
    settleMany: prepare<ManySettlements, AnnouncedRow>(value =>
      compilable(
        db,
        sql`with decided as materialized (
            select ${value('ids')}::text[] as ids, ${value('statuses')}::text[] as statuses,
              ${value('outcomes')}::text[] as outcomes, ${value('types')}::text[] as types, ${value('data')}::text[] as data
          ), settled as (
            ${settlePending(
              {
                id: sql<string>`any(${value('ids')})`,
                status: sql<string>`decided.statuses[${place}]`,
                outcome: sql<string>`decided.outcomes[${place}]`,
                at: value('at'),
              },
              sql`from decided`,
            )}
            returning requests.*, decided.types[${place}] as type, decided.data[${place}] as data, ${place} as n
          ), counter as (
            update event_counter set last = last + (select count(*) from settled) returning last
          ), announced as (
            insert into events (id, type, at, request, run, data)
            select ${eventNumber}, type, settled_at, id, run, data from settled
            returning ${notify}
          )
          select settled.*, ${eventNumber} as event from settled order by n`,
      ),
    ),
  }
}

/** Where a request stands in what was decided. */
const place = sql`array_position(decided.ids, requests.id)`
/** They are numbered in the order of what was decided. */
const eventNumber = sql`(select last from counter) + 1 - row_number() over (order by n desc)`
