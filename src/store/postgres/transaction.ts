import type { OpenTransaction } from '../connection.ts'
import { refuseNewer } from '../migrations/index.ts'
import type { NewEvent } from '../records.ts'
import { postgresFault } from './faults.ts'
import type { Link } from './link.ts'

export const channel = 'beckon'

// The locks are taken in the order they come in, which is sorted: two that want the same cannot wait for each other.
// The clock is read after them, when it is our turn.
const openSql = `with held as materialized (
    select count(pg_advisory_xact_lock(hashtextextended(lock, 0))) from unnest($1::text[]) as lock
  )
  select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
    (select value from meta where name = 'schema_version') as version
  from held`
// The counter row is taken last, together with the events it numbers: number order is commit order, and the row is
// held for no longer than the commit itself.
const appendSql = `with counter as (update event_counter set last = last + $1 returning last)
  insert into events (id, type, at, request, run, data)
  select counter.last - $1 + fresh.n, fresh.type, $2, fresh.request, fresh.run, fresh.data
  from counter, unnest($3::text[], $4::text[], $5::text[], $6::text[])
    with ordinality as fresh (type, request, run, data, n)
  returning pg_notify('${channel}', '')`

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
  const begun = client.query('begin')
  const now = rows<{ now: number; version: string }>(openSql, [locks]).then(([row]) => {
    refuseNewer(Number(row?.version ?? 0))
    return (row?.now ?? 0) + shift()
  })
  // They are heard of at the end; until then a failure of theirs is nobody's surprise.
  for (const promise of [begun, now]) promise.catch(() => {})
  return { now: () => now, lock, rows, commit, rollback }

  async function lock(name: string) {
    await rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
  }

  async function commit(events: readonly NewEvent[], sent: readonly Promise<unknown>[]) {
    try {
      // A newer schema must be known before anything is made to last.
      const at = await now
      const closing: Promise<unknown>[] = [begun, ...sent]
      if (events.length > 0) closing.push(append(events, at))
      closing.push(client.query('commit'))
      // All of them are awaited, so that none fails unheard.
      const failed = (await Promise.allSettled(closing)).find(result => result.status === 'rejected')
      if (failed) throw failed.reason
      open = false
    } catch (error) {
      throw postgresFault(error)
    }
  }

  function append(events: readonly NewEvent[], at: number) {
    return rows(appendSql, [
      events.length,
      at,
      events.map(event => event.type),
      events.map(event => event.request),
      events.map(event => event.run),
      events.map(event => JSON.stringify(event.data)),
    ])
  }

  async function rollback() {
    if (!open) return
    open = false
    // A broken statement may have left half-prepared ones behind: a new connection is the clean way out.
    if (client.getTransactionStatus() === 'T') await client.query('rollback').catch(() => link.drop(client))
    else link.drop(client)
  }
}
