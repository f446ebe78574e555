import { Client } from 'pg'
import { expect, it } from 'vitest'
import { freshDatabase } from '../setup/postgres.ts'

it('freshDatabase creates an empty PostgreSQL database with full durability', async () => {
  const client = new Client({ connectionString: await freshDatabase() })
  await client.connect()
  const { rows } = await client.query(`select
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit,
    (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace) as relations`)
  await client.end()
  expect(rows).toEqual([{ fsync: 'on', synchronous_commit: 'on', relations: 0 }])
})
