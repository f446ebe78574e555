import pg from 'pg'
import { expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import { freshDatabase } from '../setup/postgres.ts'

it('PostgreSQL reads no table as a whole, though its statements were planned while it was empty', async () => {
  const database = await freshDatabase()
  const hub = await openHub({ database })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    const cycle = async (n: number) => {
      const { id } = await hub.raise({ key: `n${n}`, questions: [{ question: 'Go?', options: ['yes', 'no'] }] })
      const settled = hub.wait(id)
      await hub.answer(id, { value: 'yes' })
      await settled
      await hub.get(id)
      await hub.confirmDelivery(id)
    }
    const read = async () => {
      await client.query('select pg_stat_force_next_flush()')
      const { rows } = await client.query(
        "select seq_tup_read as read from pg_stat_user_tables where relname = 'requests'",
      )
      return Number(rows[0].read)
    }
    for (let n = 0; n < 20; n += 1) await Promise.all([cycle(n), cycle(n + 1_000)])
    const before = await read()
    for (let n = 20; n < 60; n += 1) await Promise.all([cycle(n), cycle(n + 1_000)])
    await hub.close()
    expect((await read()) - before).toBeLessThan(100)
  } finally {
    await client.end()
  }
})
