import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** What the connections of all nodes do, on average: how many of them at a time. */
export interface Activity {
  /** Waiting for a row that another transaction has changed: the counter of events, since nodes share nothing else. */
  counter: number
  /** Waiting until another commit has announced itself: PostgreSQL lets one at a time. */
  notify: number
  /** Waiting until the log is on the disk, or for whoever writes it. */
  log: number
  /** Waiting for another part of PostgreSQL. */
  other: number
  running: number
  /** In a transaction, and waiting for the node. */
  node: number
}

export interface DatabaseWatch {
  /** The processes of PostgreSQL that can be seen from inside. */
  pids(): Promise<number[]>
  /** How many transactions have written something so far. */
  commits(): Promise<number>
  /** Samples until the signal; resolves then. */
  sample(signal: AbortSignal): Promise<Activity>
  close(): Promise<void>
}

const interval = 20
// The states of connections that are in a transaction or run a statement.
const activitySql = `select state, wait_event_type, wait_event from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')`

export async function watchDatabase(url: string): Promise<DatabaseWatch> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return { pids, commits, sample, close: () => client.end() }

  async function pids() {
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
    return rows.map(({ pid }) => pid)
  }

  // Only what writes takes a number.
  async function commits() {
    const { rows } = await client.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot()) as next')
    return Number(rows[0]?.next ?? 0)
  }

  async function sample(signal: AbortSignal) {
    const sum: Activity = { counter: 0, notify: 0, log: 0, other: 0, running: 0, node: 0 }
    let samples = 0
    for (; !signal.aborted; samples += 1) {
      const { rows } = await client.query<ActivityRow>({ name: 'activity', text: activitySql })
      for (const row of rows) sum[kindOf(row)] += 1
      await sleep(interval)
    }
    return Object.fromEntries(
      Object.entries(sum).map(([name, count]) => [name, count / samples]),
    ) as unknown as Activity
  }
}

interface ActivityRow {
  state: string
  wait_event_type: string | null
  wait_event: string | null
}

function kindOf({ state, wait_event_type: type, wait_event: event }: ActivityRow): keyof Activity {
  if (state === 'idle in transaction') return 'node'
  if (type === null) return 'running'
  if (event === 'transactionid' || event === 'tuple') return 'counter'
  if (type === 'Lock' && event === 'object') return 'notify'
  if (event?.startsWith('Wal') || event?.startsWith('WAL')) return 'log'
  return type === 'Client' ? 'node' : 'other'
}
