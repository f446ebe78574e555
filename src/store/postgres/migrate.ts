import type pg from 'pg'
import type { Dialect } from '../dialect.ts'
import { stepsFrom } from '../migrations/index.ts'
import { latest, refuseNewer } from '../migrations/latest.ts'
import { translatePostgresError } from './errors.ts'

const schema = 'beckon'
// Any number works, as long as every Beckon uses the same.
const lock = 0x62636b6e

/** Brings the schema up to date. Many processes may try at once: one gets the lock, the others find it done. */
export async function migratePostgres(client: pg.Client, dialect: Dialect): Promise<void> {
  try {
    await client.query(`set search_path to ${schema}`)
    if ((await readVersion()) === latest) return
    // Taken before the transaction begins: a snapshot from before the lock would not show what its last holder did.
    await client.query('select pg_advisory_lock($1)', [lock])
    await client.query('begin')
    for (const step of [...createSchema(), ...stepsFrom(await readVersion(), dialect.db, 'postgres')]) {
      await client.query(step)
    }
    await client.query(
      `insert into meta (name, value) values ('schema_version', $1) on conflict (name) do update set value = $1`,
      [String(latest)],
    )
    await client.query('commit')
    await client.query('select pg_advisory_unlock($1)', [lock])
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw translatePostgresError(error)
  }

  async function readVersion(): Promise<number> {
    const { rowCount } = await client.query(`select from pg_tables where schemaname = $1 and tablename = 'meta'`, [
      schema,
    ])
    if (rowCount === 0) return 0
    const stored = await client.query(`select value from meta where name = 'schema_version'`)
    const found = Number(stored.rows[0]?.value ?? 0)
    refuseNewer(found)
    return found
  }

  function createSchema(): string[] {
    return [
      `do $$ begin
        if not exists (select from pg_namespace where nspname = '${schema}') then create schema ${schema}; end if;
      end $$`,
    ]
  }
}
