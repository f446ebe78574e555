import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../../protocol/index.ts'
import { type CommitWork, ConnectionLost, type OpenTransaction, type SettlementAtCommit } from '../connection.ts'
import { refuseNewer } from '../migrations/latest.ts'
import type { EventRecord, NewEvent } from '../records.ts'
import { batchLookups } from './batch-lookups.ts'
import { deferStatements, shareStatements } from './batches.ts'
import { type AnnouncedRow, appendEvents, type CommitStatements } from './commit-statements.ts'
import type { PostgresConnection } from './connection.ts'
import { translatePostgresError } from './errors.ts'

const statusCheck = 20
const findOutFor = 60_000

// The locks come sorted and are taken in this order: two transactions that want the same ones cannot deadlock. The clock is
// read after them, when it is our turn, and kept for statements that are sent before we know it.
const openSql = `with held as materialized (
    select count(pg_advisory_xact_lock(hashtextextended(lock, 0))) from unnest($1::text[]) as lock
  ), clock as materialized (
    select (extract(epoch from clock_timestamp()) * 1000)::bigint + $2::bigint as now from held
  )
  select now, set_config('beckon.now', now::text, true),
    (select value from meta where name = 'schema_version') as version, pg_current_xact_id()::text as xid
  from clock`

const statusSql = 'select pg_xact_status($1::xid8) as status'
const endIdleSql = `select pg_terminate_backend(pid) from pg_stat_activity
  where backend_xid = $1::xid8::xid and state like 'idle in transaction%' and pid <> pg_backend_pid()`

/**
 * Opens a transaction. Statements whose result is not needed are sent without waiting for it: the first statement of the
 * work leaves together with BEGIN, the last together with COMMIT.
 */
export async function beginTransaction(
  connection: PostgresConnection,
  statements: CommitStatements,
  locks: readonly string[],
  shift: () => number,
): Promise<OpenTransaction> {
  const client = await connection.client()
  const deferred = deferStatements(run)
  let failure: Error | null = null
  let open = true
  let committing = false
  connection.sendTogether(client)
  const begun = client.query('begin')
  let xid: string | null = null
  const now = rows<{ now: number; version: string; xid: string }>(openSql, [locks, Math.round(shift())]).then(
    ([row]) => {
      xid = row?.xid ?? null
      refuseNewer(Number(row?.version ?? 0))
      return row?.now ?? 0
    },
  )
  // `commit` awaits both; until then a failure is not an unhandled rejection.
  for (const promise of [begun, now]) promise.catch(() => {})
  return {
    now: () => now,
    rows,
    byId: batchLookups(rows),
    batched: shareStatements(rows),
    send: deferred.send,
    commit,
    failure: () => failure,
    rollback,
    wasCommitted,
  }

  function rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    deferred.flush()
    return run(sql, values)
  }

  /** PostgreSQL answers the statements after a failed one with 25P02, which says nothing about the cause. */
  async function run<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return await connection.rowsOn<Row>(client, sql, values)
    } catch (error) {
      failure ??= error as Error
      throw failure
    }
  }

  async function commit({ events, settlements, sent }: CommitWork) {
    try {
      // A newer schema must be noticed before anything is committed.
      const at = await now
      committing = true
      deferred.flush()
      const stored = [
        ...(events.length > 0 ? [append(events, at)] : []),
        ...(settlements.size > 0 ? [settle(settlements, at)] : []),
      ]
      const committed = client.query('commit')
      // Awaits all of them, so that none fails unhandled.
      const ends = await Promise.allSettled([begun, ...sent, ...stored, committed])
      const failed = ends.find(result => result.status === 'rejected')
      if (failed) throw failed.reason
      // After a failed statement, COMMIT rolls back without an error.
      if ((await committed).command !== 'COMMIT') throw failure ?? rolledBack()
      open = false
      return (await Promise.all(stored)).flat()
    } catch (error) {
      throw translatePostgresError(error)
    }
  }

  async function append(events: readonly NewEvent[], at: number): Promise<EventRecord[]> {
    const numbered = await rows<{ id: number }>(appendEvents, [
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

  async function settle(settlements: CommitWork['settlements'], at: number): Promise<EventRecord[]> {
    const [only] = settlements
    const settled = only && settlements.size === 1 ? await settleOne(...only, at) : await settleMany(settlements, at)
    return settled.flatMap(({ event, ...row }) => {
      const decision = settlements.get(row.id)
      if (!decision) return []
      decision.row = row
      return [{ ...decision.event, at, id: event }]
    })
  }

  function settleOne(id: string, { status, outcome, event }: SettlementAtCommit, at: number) {
    const { sql, bind } = statements.settleOne
    const values = { id, status, at, outcome, type: event.type, data: JSON.stringify(event.data) }
    return rows<AnnouncedRow>(sql, bind(values))
  }

  function settleMany(settlements: CommitWork['settlements'], at: number) {
    const { sql, bind } = statements.settleMany
    const decisions = [...settlements.values()]
    const values = {
      at,
      ids: [...settlements.keys()],
      statuses: decisions.map(({ status }) => status),
      outcomes: decisions.map(({ outcome }) => outcome),
      types: decisions.map(({ event }) => event.type),
      data: decisions.map(({ event }) => JSON.stringify(event.data)),
    }
    return rows<AnnouncedRow>(sql, bind(values))
  }

  async function rollback() {
    if (!open) return
    open = false
    // A failed statement may have left half-prepared ones behind: a new connection is the clean way out.
    if (client.getTransactionStatus() === 'T') await client.query('rollback').catch(() => connection.drop(client))
    else connection.drop(client)
  }

  async function wasCommitted(): Promise<boolean> {
    if (!committing || xid === null) return false
    connection.drop(client)
    const giveUpAt = performance.now() + findOutFor
    for (;;) {
      const status = await statusOf(xid).catch(error => {
        if (!(error instanceof ConnectionLost) || performance.now() > giveUpAt) throw error
        return 'in progress'
      })
      if (status !== 'in progress') return status === 'committed'
      if (performance.now() > giveUpAt) throw stillCommitting()
      await sleep(statusCheck)
    }
  }

  async function statusOf(xid: string): Promise<string | null> {
    const other = await connection.client()
    // After a failover, the number may belong to another transaction.
    if (connection.timelineOf(other) !== connection.timelineOf(client)) throw failedOver()
    const [row] = await connection.rowsOn<{ status: string | null }>(other, statusSql, [xid])
    // The server has not noticed yet that our connection is gone. It may still be committing; but if it waits for us, it
    // would wait, and keep our locks, for as long as the network hides our end.
    if (row?.status === 'in progress') await connection.rowsOn(other, endIdleSql, [xid])
    return row?.status ?? null
  }
}

function rolledBack(): BeckonError {
  return new BeckonError('unreachable', 'PostgreSQL rolled the change back. Nothing was stored; try again.')
}

function failedOver(): BeckonError {
  return new BeckonError('unreachable', 'Another PostgreSQL server took over during a commit.')
}

/** A server that waits for its standby may keep a commit open for as long as the standby is away. */
function stillCommitting(): BeckonError {
  return new BeckonError('unreachable', 'PostgreSQL has not finished a commit.')
}
