import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { testKey } from '../setup/databases.ts'
import { freshDatabase } from '../setup/postgres.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const secret = { kind: 'dependency', type: 'api_key', name: 'K', description: 'x' } as const
const each = Array.from({ length: 40 }, (_, i) => String(i))
const rounds = [1, 2, 3, 4, 5, 6]

describe('nodes that change the same rows in opposite orders', () => {
  const open: Hub[] = []
  let admin: pg.Client
  afterEach(async () => {
    await Promise.all(open.splice(0).map(node => node.close()))
    await admin.end()
  })

  async function twoNodes(): Promise<[Hub, Hub]> {
    const url = await freshDatabase()
    admin = new pg.Client(url)
    await admin.connect()
    const options = { database: url, env: { BECKON_KEY: testKey }, sweeps: false }
    const [one, other] = [await openLocalHub(options), await openLocalHub(options)]
    open.push(one, other)
    return [one, other]
  }

  /** Closes the nodes first: a session reports its statistics when it ends, at the latest. */
  async function deadlocks(): Promise<number> {
    await Promise.all(open.splice(0).map(node => node.close()))
    const others = `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await expect.poll(async () => (await admin.query(others)).rows[0].n).toBe(0)
    const { rows } = await admin.query('select deadlocks::int from pg_stat_database where datname = current_database()')
    return rows[0].deadlocks
  }

  const raiseAll = (node: Hub) => Promise.all(each.map(async context => (await node.raise({ ...shipIt, context })).id))

  it('settle, ask and deliver without a deadlock', async () => {
    const [one, other] = await twoNodes()
    for (const round of rounds) {
      const ids = await raiseAll(one)
      const won = await Promise.all([
        ...ids.map(id => one.answer(id, { value: 'yes' })),
        ...each.map(context => one.raise({ ...shipIt, context: `${round} ${context}` })),
        ...ids.toReversed().map(id => other.answer(id, { value: 'no' })),
        ...each.map(context => other.raise({ ...shipIt, context: `${round} ${context}` })),
      ])
      expect(won.filter(settled => 'won' in settled && settled.won)).toHaveLength(each.length)
      await Promise.all([
        ...ids.map(id => one.confirmDelivery(id)),
        ...ids.toReversed().map(id => other.confirmDelivery(id)),
      ])
    }
    expect(await deadlocks()).toBe(0)
  })

  it('move deadlines and withdraw requests without a deadlock', async () => {
    const [one, other] = await twoNodes()
    for (const _ of rounds) {
      const ids = await raiseAll(one)
      await Promise.all([
        ...ids.map(id => one.reschedule(id, 60_000)),
        ...ids.toReversed().map(id => other.reschedule(id, 60_000)),
      ])
      await Promise.all([
        ...ids.toReversed().map(id => other.cancel(id)),
        ...ids.map(id => one.reschedule(id, 90_000)),
        ...ids.map(id => one.cancel(id)),
      ])
    }
    expect(await deadlocks()).toBe(0)
  })

  it('end runs and give them secrets without a deadlock', async () => {
    const [one, other] = await twoNodes()
    for (const _ of rounds) {
      const runs = await Promise.all(
        each.slice(0, 8).map(async () => (await one.runs.start({ command: ['agent'], cwd: '/' })).id),
      )
      const asked = await Promise.all(
        runs.flatMap(run =>
          ['A', 'B', 'C'].map(async name => (await one.raise({ ...secret, name, run, key: name })).id),
        ),
      )
      await Promise.all([
        ...asked.toReversed().map(id => one.answer(id, { value: 'sk-0123456789' })),
        ...runs.map(run => other.runs.stop(run)),
      ])
      for (const id of asked) expect((await one.get(id)).status).not.toBe('pending')
    }
    expect(await deadlocks()).toBe(0)
  })
})
