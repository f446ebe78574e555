import type pg from 'pg'
import { latest, refuseNewer, stepsFrom } from '../migrations/index.ts'
import type { Dialect } from '../session.ts'
import { postgresFault } from './faults.ts'

const schema = 'beckon'
// Any number will do, as long as every Beckon takes the same.
const lock = 0x62636b6e

/** Brings the schema up to date. Many processes may try at once: the lock lets one work and the others find it done. */
export async function migratePostgres(client: pg.Client, dialect: Dialect): Promise<void> {
  try {
    await client.query(`set search_path to ${schema}`)
    if ((await version()) === latest) return
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    for (const step of [...createSchema(), ...stepsFrom(await version(), dialect.db, 'postgres')]) {
      await client.query(step)
    }
    await client.query(
      `insert into meta (name, value) values ('schema_version', $1) on conflict (name) do update set value = $1`,
      [String(latest)],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw postgresFault(error)
  }

  async function version(): Promise<number> {
    const { rows } = await client.query(`select to_regclass('${schema}.meta') as found`)
    if (rows[0]?.found === null) return 0
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
