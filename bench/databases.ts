import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type PostgresServer, startPostgres } from '../test/setup/postgres-server.ts'
import { fill } from './processes/fill.ts'
import { progress } from './report.ts'

export const manyPending = 100_000

export type Kind = 'SQLite' | 'PostgreSQL'

/** The databases of one benchmark run, all on the same disk and deleted on close. */
export interface Databases {
  fresh(kind: Kind): Promise<string>
  /** Of one that is measured: or PostgreSQL would tidy it up beside the next. */
  drop(kind: Kind, database: string): Promise<void>
  /** A database with a hundred thousand pending requests; created once. */
  full(kind: Kind): Promise<string>
  close(): Promise<void>
}

export async function openDatabases(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'))
  let server: Promise<PostgresServer> | null = null
  const filled = new Map<Kind, string>()
  let files = 0
  return { fresh, drop, full, close }

  async function fresh(kind: Kind) {
    files += 1
    if (kind === 'SQLite') return join(folder, `${files}.db`)
    server ??= startPostgres()
    return (await server).freshDatabase()
  }

  async function drop(kind: Kind, database: string) {
    if (kind === 'SQLite') {
      for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
      return
    }
    const client = new Client({ connectionString: (await server)?.url ?? '' })
    await client.connect()
    await client.query(`drop database ${new URL(database).pathname.slice(1)} with (force)`)
    await client.end()
  }

  async function full(kind: Kind) {
    const known = filled.get(kind)
    if (known) return known
    const database = await fresh(kind)
    progress(`${kind}: storing ${manyPending} requests`)
    await fill(database, manyPending)
    filled.set(kind, database)
    return database
  }

  async function close() {
    await (await server)?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
