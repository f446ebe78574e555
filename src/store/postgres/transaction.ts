import { setTimeout as sleep } from 'node:timers/promises'
import type { Closing, OpenTransaction, Settling } from '../connection.ts'
import { refuseNewer } from '../migrations/index.ts'
import type { EventRecord, NewEvent } from '../records.ts'
import { gatherById } from './by-id.ts'
import { type AnnouncedRow, appendEvents, type CommitStatements } from './commit-statements.ts'
import { postgresFault } from './faults.ts'
import type { Link } from './link.ts'

const fateCheck = 20

// The locks are taken in the order they come in, which is sorted: two that want the same cannot wait for each other.
// The clock is read after them, when it is our turn.
const openSql = `with held as materialized (
    select count(pg_advisory_xact_lock(hashtextextended(lock, 0))) from unnest($1::text[]) as lock
  )
  select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
    (select value from meta where name = 'schema_version') as version, pg_current_xact_id()::text as xid
  from held`

/**
 * Opens a transaction on the link. Whatever does not need an answer is sent along without waiting for one: the first
 * statement of the work goes out together with BEGIN, the last together with COMMIT.
 */
export async function beginTransaction(
  link: Link,
  statements: CommitStatements,
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
    const { sql, bind } = statements.settleOne
    const values = { id, status, at, outcome, type: event.type, data: JSON.stringify(event.data) }
    return rows<AnnouncedRow>(sql, bind(values))
  }

  function settleMany(settling: ReadonlyMap<string, Settling>, at: number) {
    const { sql, bind } = statements.settleMany
    const decisions = [...settling.values()]
    const values = {
      at,
      ids: [...settling.keys()],
      statuses: decisions.map(({ status }) => status),
      outcomes: decisions.map(({ outcome }) => outcome),
      types: decisions.map(({ event }) => event.type),
      data: decisions.map(({ event }) => JSON.stringify(event.data)),
    }
    return rows<AnnouncedRow>(sql, bind(values))
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
