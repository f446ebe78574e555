import pg from 'pg'

export interface StoredRun {
  id: string
  name: string
  status: string
  endedAt: number | null
}

// What the driver reads from the database itself, past the nodes and the proxy.

export async function readRuns(url: string): Promise<StoredRun[]> {
  const rows = await query(url, 'select id, name, status, ended_at from beckon.runs order by id')
  return rows.map(row => ({ ...(row as unknown as StoredRun), endedAt: row.ended_at as number | null }))
}

export async function countPending(url: string): Promise<number> {
  const [row] = await query(url, "select count(*)::int as pending from beckon.requests where status = 'pending'")
  return Number(row?.pending)
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
