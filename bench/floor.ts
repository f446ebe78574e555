import Database from 'better-sqlite3'
import pg from 'pg'
import type { Databases, Kind } from './databases.ts'

// The floor: the speed of the bare driver when each insert and each update of a realistic row is one durable
// commit, on one connection. Counted in pairs of the two per second.

const body = JSON.stringify({ question: 'Which database should the service use in production?'.repeat(10) })
const columns = 'id text primary key, status text not null, body text not null, created_at bigint, outcome text'
const duration = 1_000

export async function floorOf(kind: Kind, databases: Databases): Promise<number> {
  const database = await databases.fresh(kind)
  return kind === 'SQLite' ? sqliteFloor(database) : postgresFloor(database)
}

function sqliteFloor(file: string): number {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`create table bare (${columns})`)
  const insert = db.prepare('insert into bare values (?, ?, ?, ?, null)')
  const update = db.prepare('update bare set status = ?, outcome = ? where id = ? and status = ?')
  const began = performance.now()
  let pairs = 0
  for (; performance.now() - began < duration; pairs += 1) {
    const id = `req_${pairs}`
    insert.run(id, 'pending', body, Date.now())
    update.run('answered', '{"selected":["yes"]}', id, 'pending')
  }
  const rate = perSecond(pairs, began)
  db.close()
  return rate
}

async function postgresFloor(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create table bare (${columns})`)
  const insert = { name: 'insert', text: 'insert into bare values ($1, $2, $3, $4, null)' }
  const update = { name: 'update', text: 'update bare set status = $1, outcome = $2 where id = $3 and status = $4' }
  const began = performance.now()
  let pairs = 0
  for (; performance.now() - began < duration; pairs += 1) {
    const id = `req_${pairs}`
    await client.query({ ...insert, values: [id, 'pending', body, Date.now()] })
    await client.query({ ...update, values: ['answered', '{"selected":["yes"]}', id, 'pending'] })
  }
  const rate = perSecond(pairs, began)
  await client.end()
  return rate
}

export function perSecond(count: number, began: number): number {
  return count / ((performance.now() - began) / 1_000)
}
