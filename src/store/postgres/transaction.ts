import type { OpenTransaction } from '../connection.ts'
import { refuseNewer } from '../migrations/index.ts'
import type { NewEvent } from '../records.ts'
import { postgresFault } from './faults.ts'
import type { Link } from './link.ts'

export const channel = 'beckon'

const lockSql = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'
const nowSql = `select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
  (select value from meta where name = 'schema_version') as version`
// The counter row is taken last, together with the events it numbers: number order is commit order, and the row is
// held for no longer than the commit itself.
const appendSql = `with counter as (update event_counter set last = last + $1 returning last)
  insert into events (id, type, at, request, run, data)
  select counter.last - $1 + fresh.n, fresh.type, $2, fresh.request, fresh.run, fresh.data
  from counter, unnest($3::text[], $4::text[], $5::text[], $6::text[])
    with ordinality as fresh (type, request, run, data, n)`

/** Opens a transaction on the link. What does not need an answer is sent along without waiting for one. */
export async function beginTransaction(
  link: Link,
  locks: readonly string[],
  shift: () => number,
): Promise<OpenTransaction> {
  // Connects first: after that, everything below is on one and the same connection or fails with it.
  const client = await link.client()
  const rows = <Row>(sql: string, values: readonly unknown[]) => link.rowsOn<Row>(client, sql, values)
  let open = true
  let now: number
  try {
    const sent = [client.query('begin'), ...locks.map(lock => rows(lockSql, [lock]))]
    const [first] = await Promise.all([rows<{ now: number; version: string }>(nowSql, []), ...sent])
    now = (first[0]?.now ?? 0) + shift()
    refuseNewer(Number(first[0]?.version ?? 0))
  } catch (error) {
    await link.drop()
    throw postgresFault(error)
  }
  return { now, rows, commit, rollback }

  async function commit(events: readonly NewEvent[]) {
    try {
      const sent: Promise<unknown>[] = []
      if (events.length > 0) sent.push(append(events), client.query('select pg_notify($1, $2)', [channel, '']))
      sent.push(client.query('commit'))
      // All of them are awaited, so that none fails unheard.
      const failed = (await Promise.allSettled(sent)).find(result => result.status === 'rejected')
      if (failed) throw failed.reason
      open = false
    } catch (error) {
      throw postgresFault(error)
    }
  }

  function append(events: readonly NewEvent[]) {
    return rows(appendSql, [
      events.length,
      now,
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
    if (client.getTransactionStatus() === 'T') await client.query('rollback').catch(() => link.drop())
    else await link.drop()
  }
}
