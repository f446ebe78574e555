import { setTimeout as sleep } from 'node:timers/promises'
import type { Closing, OpenTransaction, Settling } from '../connection.ts'
import { refuseNewer } from '../migrations/index.ts'
import type { EventRecord, NewEvent } from '../records.ts'
import type { RequestRow } from '../schema.ts'
import { gatherById } from './by-id.ts'
import { postgresFault } from './faults.ts'
import type { Link } from './link.ts'

const fateCheck = 20

export const channel = 'beckon'

// The locks are taken in the order they come in, which is sorted: two that want the same cannot wait for each other.
// The clock is read after them, when it is our turn.
const openSql = `with held as materialized (
    select count(pg_advisory_xact_lock(hashtextextended(lock, 0))) from unnest($1::text[]) as lock
  )
  select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
    (select value from meta where name = 'schema_version') as version, pg_current_xact_id()::text as xid
  from held`
// The counter row is taken last, together with the events it numbers: number order is commit order, and the row is
// held for no longer than the commit itself.
const appendSql = `with counter as (update event_counter set last = last + $1 returning last)
  insert into events (id, type, at, request, run, data)
  select (select last from counter) - $1 + fresh.n, fresh.type, $2, fresh.request, fresh.run, fresh.data
  from unnest($3::text[], $4::text[], $5::text[], $6::text[])
    with ordinality as fresh (type, request, run, data, n)
  returning id, pg_notify('${channel}', '')`
// One statement decides, numbers and announces; a request that somebody else has settled falls out at the first step.
// Usually it is one alone, for which the server has half the work.
const settleOneSql = `with settled as (
    update requests set status = $2, settled_at = $1, outcome = $3, due = null
    where id = $4 and status = 'pending'
    returning *
  ), counter as (
    update event_counter set last = last + 1 where exists (select from settled) returning last
  ), announced as (
    insert into events (id, type, at, request, run, data)
    select (select last from counter), $5, $1, $4, $6, $7 from settled
    returning pg_notify('${channel}', '')
  )
  select settled.*, (select last from counter) as event from settled`
const settleManySql = `with fresh as (
    select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      with ordinality as fresh (request, status, outcome, type, data, n)
  ), settled as (
    update requests set status = fresh.status, settled_at = $1, outcome = fresh.outcome, due = null
    from fresh where requests.id = fresh.request and requests.id = any($2) and requests.status = 'pending'
    returning requests.*, fresh.type, fresh.data, fresh.n
  ), counter as (
    update event_counter set last = last + (select count(*) from settled) returning last
  ), announced as (
    insert into events (id, type, at, request, run, data)
    select (select last from counter) + 1 - row_number() over (order by n desc), type, $1, id, run, data
    from settled
    returning id as event, request, pg_notify('${channel}', '')
  )
  select settled.*, announced.event from settled join announced on announced.request = settled.id order by n`

/**
 * Opens a transaction on the link. Whatever does not need an answer is sent along without waiting for one: the first
 * statement of the work goes out together with BEGIN, the last together with COMMIT.
 */
export async function beginTransaction(
  link: Link,
  locks: readonly string[],
  shift: () => number,
): Promise<OpenTransaction> {
  const client = await link.client()
  const rows = <Row>(sql: string, values: readonly unknown[]) => link.rowsOn<Row>(client, sql, values)
  let open = true
  link.sendTogether(client)
  const begun = client.query('begin')
  let xid: string | null = null
  const now = rows<{ now: number; version: string; xid: string }>(openSql, [locks]).then(([row]) => {
    xid = row?.xid ?? null
    refuseNewer(Number(row?.version ?? 0))
    return (row?.now ?? 0) + shift()
  })
  // They are heard of at the end; until then a failure of theirs is nobody's surprise.
  for (const promise of [begun, now]) promise.catch(() => {})
  return { now: () => now, lock, rows, byId: gatherById(rows), commit, rollback, happened }

  async function lock(name: string) {
    await rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
  }

  async function commit({ events, settling, sent }: Closing) {
    try {
      // A newer schema must be known before anything is made to last.
      const at = await now
      const stored = [
        ...(events.length > 0 ? [append(events, at)] : []),
        ...(settling.size > 0 ? [settle(settling, at)] : []),
      ]
      // All of them are awaited, so that none fails unheard.
      const ends = await Promise.allSettled([begun, ...sent, ...stored, client.query('commit')])
      const failed = ends.find(result => result.status === 'rejected')
      if (failed) throw failed.reason
      open = false
      return (await Promise.all(stored)).flat()
    } catch (error) {
      throw postgresFault(error)
    }
  }

  async function append(events: readonly NewEvent[], at: number): Promise<EventRecord[]> {
    const numbered = await rows<{ id: number }>(appendSql, [
      events.length,
      at,
      events.map(event => event.type),
      events.map(event => event.request),
      events.map(event => event.run),
      events.map(event => JSON.stringify(event.data)),
    ])
    const last = Math.max(...numbered.map(({ id }) => id))
    return events.map((event, i) => ({ ...event, at, id: last - events.length + 1 + i }))
  }

  async function settle(settling: ReadonlyMap<string, Settling>, at: number): Promise<EventRecord[]> {
    const [only] = settling
    const settled = only && settling.size === 1 ? await settleOne(...only, at) : await settleMany(settling, at)
    return settled.flatMap(({ event, ...row }) => {
      const decision = settling.get(row.id)
      if (!decision) return []
      decision.row = row
      return [{ ...decision.event, at, id: event }]
    })
  }

  function settleOne(id: string, { status, outcome, event }: Settling, at: number) {
    const values = [at, status, outcome, id, event.type, event.run, JSON.stringify(event.data)]
    return rows<RequestRow & { event: number }>(settleOneSql, values)
  }

  function settleMany(settling: ReadonlyMap<string, Settling>, at: number) {
    const decisions = [...settling.values()]
    return rows<RequestRow & { event: number }>(settleManySql, [
      at,
      [...settling.keys()],
      decisions.map(decision => decision.status),
      decisions.map(decision => decision.outcome),
      decisions.map(decision => decision.event.type),
      decisions.map(decision => JSON.stringify(decision.event.data)),
    ])
  }

  async function happened(): Promise<boolean> {
    if (xid === null) return false
    for (;;) {
      const [row] = await link.rows<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [xid])
      if (row?.status !== 'in progress') return row?.status === 'committed'
      // The server has not noticed yet that we are gone.
      await sleep(fateCheck)
    }
  }

  async function rollback() {
    if (!open) return
    open = false
    // A broken statement may have left half-prepared ones behind: a new connection is the clean way out.
    if (client.getTransactionStatus() === 'T') await client.query('rollback').catch(() => link.drop(client))
    else link.drop(client)
  }
}
