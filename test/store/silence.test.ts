import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { Hub } from '../../src/hub/hub.ts'
import { createHub } from '../../src/hub/hub.ts'
import { usualLimits } from '../../src/store/postgres/liveness.ts'
import { openPostgres } from '../../src/store/postgres/store.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { startBreakableProxy } from './breakable-proxy.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const limits = { ...usualLimits, look: 50, silence: 150, answer: 500 }
const caller = {
  user: 'ann',
  host: 'here',
  directory: '/',
  agent: 'script',
  channel: 'sdk',
  token: null,
  boundTo: null,
}
const sealing = { sealer: () => Promise.reject(new Error('no secrets here')) }

describe('a PostgreSQL connection that goes silent', () => {
  const undo: (() => unknown)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  async function nodeBehindProxy() {
    const url = await freshDatabase()
    const proxy = await startBreakableProxy(url)
    undo.push(() => proxy.close())
    return { url, proxy, node: await openNode(proxy.url) }
  }

  async function openNode(url: string): Promise<Hub> {
    const store = await openPostgres({ url, limits })
    const hub = await createHub({ store, sealing, caller, sweeps: false })
    undo.push(() => hub.close())
    return hub
  }

  it('is dropped, and the node reads and writes again', async () => {
    const { node, proxy } = await nodeBehindProxy()
    const first = await node.raise(shipIt)
    proxy.swallow()
    const second = await node.raise({ ...shipIt, context: 'again' })
    proxy.swallow()
    expect((await node.list()).requests.map(({ id }) => id)).toEqual([first.id, second.id])
  })

  it('is dropped while nobody uses it, and a waiter catches up with what it missed', async () => {
    const { url, node, proxy } = await nodeBehindProxy()
    const person = await openNode(url)
    const { id } = await node.raise(shipIt)
    const waiting = node.wait(id)
    const other = await node.raise({ ...shipIt, context: 'other' })
    const listening = node.wait(other.id)
    await person.answer(other.id, { value: 'yes' })
    await listening
    proxy.swallow()
    await person.answer(id, { value: 'yes' })
    expect((await waiting).status).toBe('answered')
  })

  it('makes a change once when the acknowledgement of its commit was swallowed', async () => {
    const { node, proxy } = await nodeBehindProxy()
    proxy.arm('swallow')
    const { id } = await node.raise(shipIt)
    expect(proxy.wasCut()).toBe(true)
    proxy.arm('swallow')
    expect(await node.answer(id, { value: 'yes' })).toMatchObject({ won: true, replay: false })
    expect((await node.events()).map(({ type }) => type)).toEqual(['request.created', 'request.answered'])
  })

  it('leaves no lock behind when the transaction was swallowed before its commit', async () => {
    const { url, node, proxy } = await nodeBehindProxy()
    const other = await openNode(url)
    const { id } = await node.raise(shipIt)
    const admin = new pg.Client(url)
    await admin.connect()
    undo.push(() => admin.end())
    // Holds the node's transaction at the row, so that it is swallowed in the middle.
    await admin.query('begin')
    await admin.query('select from beckon.requests where id = $1 for update', [id])
    const answered = node.answer(id, { value: 'yes' })
    const waits = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await admin.query(waits)).rows[0].n).toBe(1)
    proxy.swallow()
    await admin.query('rollback')
    expect(await answered).toMatchObject({ won: true })
    expect(await other.answer(id, { value: 'no' })).toMatchObject({ won: false })
  })

  it('is not taken for dead while the server works on a statement', async () => {
    const { url, node } = await nodeBehindProxy()
    const { id } = await node.raise(shipIt)
    const admin = new pg.Client(url)
    await admin.connect()
    undo.push(() => admin.end())
    await admin.query('begin')
    await admin.query('select from beckon.requests where id = $1 for update', [id])
    const waiting = `select pid, clock_timestamp() - state_change > interval '3 s' as long from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    const answered = node.answer(id, { value: 'yes' })
    await expect.poll(async () => (await admin.query(waiting)).rows[0]?.long, { timeout: 10_000 }).toBe(true)
    const before = (await admin.query(waiting)).rows[0].pid
    await admin.query('rollback')
    expect(await answered).toMatchObject({ won: true })
    const { rows } = await admin.query('select pid from pg_stat_activity where datname = current_database()')
    expect(rows.map(({ pid }) => pid)).toContain(before)
  })

  it('does not hold up closing', async () => {
    const { node, proxy } = await nodeBehindProxy()
    await node.raise(shipIt)
    proxy.swallow('and new ones')
    await node.close()
  })
})
