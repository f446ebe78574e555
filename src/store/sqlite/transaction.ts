import type { CommitWork, Lookup, OpenTransaction, SettlementAtCommit } from '../connection.ts'
import { refuseNewer } from '../migrations/latest.ts'
import type { EventRecord, NewEvent } from '../records.ts'
import type { RequestRow } from '../schema.ts'
import type { Statements } from '../statements/index.ts'
import { retryWhileBusy, type SqliteConnection } from './connection.ts'
import { translateSqliteError } from './errors.ts'

/**
 * Opens a write transaction. IMMEDIATE takes the write lock first, so that nothing read in it can be stale. `refuseIfLost`
 * runs before anybody learns of a result, and after the commit: a file that was replaced before it is then noticed.
 */
export async function beginTransaction(
  connection: SqliteConnection,
  statements: Statements,
  clock: () => number,
  refuseIfLost: () => void,
): Promise<OpenTransaction> {
  await retryWhileBusy(connection.file, () => connection.rowsNow('begin immediate', []))
  let open = true
  try {
    refuseNewer(connection.pragma('user_version'))
  } catch (error) {
    await rollback()
    throw error
  }
  const now = clock()
  let failure: Error | null = null
  return {
    now: async () => now,
    rows: async (sql, values) => run(sql, values),
    byId: async <Row extends { id: string }>({ one }: Lookup<Row>, id: string) =>
      run<Row>(one.sql, one.bind({ id, now }))[0],
    batched: async ({ one }, values) => run(one.sql, one.bind(values)),
    send: async ({ one }, values) => run(one.sql, one.bind(values)),
    commit,
    failure: () => failure,
    rollback,
    // A commit that fails here has no effect.
    wasCommitted: async () => false,
  }

  /** After a failed statement SQLite may have rolled back: the next one would be a transaction of its own. */
  function run<Row>(sql: string, values: readonly unknown[]): Row[] {
    if (failure) throw failure
    try {
      return connection.rowsNow<Row>(sql, values)
    } catch (error) {
      failure = translateSqliteError(error, connection.file)
      throw failure
    }
  }

  async function commit({ events, settlements, sent }: CommitWork) {
    try {
      await Promise.all(sent)
      if (failure) throw failure
      for (const [id, decision] of settlements) if (settle(id, decision)) events.push(decision.event)
      const stored = events.length > 0 ? append(events) : []
      connection.rowsNow('commit', [])
      open = false
      refuseIfLost()
      return stored
    } catch (error) {
      throw translateSqliteError(error, connection.file)
    }
  }

  function append(events: readonly NewEvent[]): EventRecord[] {
    const { takeNumbers, insertEvent } = statements
    const [counter] = connection.rowsNow<{ last: number }>(takeNumbers.sql, takeNumbers.bind({ count: events.length }))
    const last = counter?.last ?? 0
    const stored = events.map((event, i) => ({ ...event, id: last - events.length + 1 + i, at: now }))
    for (const event of stored) {
      connection.rowsNow(insertEvent.sql, insertEvent.bind({ ...event, data: JSON.stringify(event.data) }))
    }
    return stored
  }

  function settle(id: string, decision: SettlementAtCommit): boolean {
    const { sql, bind } = statements.settle
    const [row = null] = connection.rowsNow<RequestRow>(sql, bind({ id, ...decision }))
    decision.row = row
    return row !== null
  }

  async function rollback() {
    if (!open) return
    open = false
    // A full disk may have rolled back already.
    if (connection.database.inTransaction) connection.rowsNow('rollback', [])
    refuseIfLost()
  }
}
