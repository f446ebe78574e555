import pg from 'pg'
import type { Dialect } from '../dialect.ts'
import type { Tables } from '../schema.ts'
import { SqliteConnection } from '../sqlite/connection.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { migrateSqlite } from '../sqlite/migrate.ts'
import { translatePostgresError } from './errors.ts'
import { migratePostgres } from './migrate.ts'

const tables: (keyof Tables)[] = [
  'requests',
  'drafts',
  'snoozes',
  'attachments',
  'events',
  'runs',
  'run_logs',
  'checkpoints',
  'sealed',
  'kept',
  'tokens',
  'targets',
  'push_keys',
  'outbox',
  'pairings',
  'pairing_codes',
  'presses',
  'callbacks',
  'rules',
  'answer_rules',
  'counts',
  'search_segments',
  'search_grams',
]
// How many rows are in memory at once; pieces of logs and attached files are large.
const pageSizes = new Map<keyof Tables, number>([
  ['run_logs', 10],
  ['attachments', 4],
])
const defaultPageSize = 1_000

/** Copies one consistent moment of the whole store into an empty SQLite file, which any Beckon can open. */
export async function copyToSqlite(url: string, dialect: Dialect, file: string): Promise<void> {
  const target = await SqliteConnection.open(file)
  const source = new pg.Client({ connectionString: url })
  // The query that was running reports a broken connection.
  source.on('error', () => {})
  try {
    await source.connect()
    await migratePostgres(source, dialect)
    await migrateSqlite(target, sqliteDialect())
    await source.query('begin isolation level repeatable read read only')
    target.rowsNow('begin immediate', [])
    for (const table of tables) await copyTable(table)
    const { rows } = await source.query('select last from event_counter')
    target.rowsNow('update event_counter set last = ?', [Number(rows[0]?.last ?? 0)])
    await copyMeta()
    target.rowsNow('commit', [])
  } catch (error) {
    throw translatePostgresError(error)
  } finally {
    target.close()
    await source.end().catch(() => {})
  }

  async function copyTable(table: keyof Tables) {
    await source.query(`declare copying cursor for select * from ${table}`)
    for (;;) {
      const { rows, fields } = await source.query({
        text: `fetch ${pageSizes.get(table) ?? defaultPageSize} from copying`,
        rowMode: 'array',
      })
      if (rows.length === 0) break
      const columns = fields.map(field => `"${field.name}"`)
      const insert = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      for (const row of rows) target.rowsNow(insert, row as unknown[])
    }
    await source.query('close copying')
  }

  async function copyMeta() {
    const { rows } = await source.query(`select name, value from meta where name <> 'schema_version'`)
    for (const { name, value } of rows)
      target.rowsNow('insert or replace into meta (name, value) values (?, ?)', [name, value])
  }
}
