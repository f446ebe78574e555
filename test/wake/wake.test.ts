import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { startWaiter, type Waiter } from './waiter.ts'

const folder = mkdtempSync(join(tmpdir(), 'beckon-wake-'))
let database: string
let waiter: Waiter
let hub: HubApi

afterAll(() => rmSync(folder, { recursive: true, force: true }))

afterEach(async () => {
  await hub?.close()
  await waiter?.end()
})

const stores: [string, () => Promise<string>][] = [
  ['SQLite', async () => join(mkdtempSync(join(folder, 'home-')), 'beckon.db')],
  ['PostgreSQL', freshDatabase],
]

describe.each(stores)('waiting on %s', (_, fresh) => {
  beforeEach(async () => {
    database = await fresh()
    waiter = await startWaiter(database)
    hub = await openHub({ database })
  })

  it('ends when another process answers', async () => {
    const { id } = await hub.raise({ questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] })
    const { resumed } = await waiter.wait(id)
    const { request } = await hub.answer(id, { value: 'yes', note: 'go ahead' })

    expect((await resumed).outcome).toEqual(request.outcome)
  })

  it('ends at once if it starts after the answer', async () => {
    const { id } = await hub.raise({ questions: [{ question: 'Ship it?' }] })
    await hub.answer(id, { value: 'yes' })
    const { resumed } = await waiter.wait(id)

    expect((await resumed).outcome).toMatchObject({ status: 'answered' })
  })

  it('ends in time 200 times out of 200', { timeout: 120_000 }, async () => {
    const times: number[] = []
    for (let n = 0; n < 200; n += 1) {
      const { id } = await hub.raise({ questions: [{ question: `Ship number ${n}?` }] })
      const { resumed } = await waiter.wait(id)
      // Sometimes before it has started to watch, sometimes after.
      if (n % 2 === 0) await sleep(n % 10)
      const answered = Number(process.hrtime.bigint()) / 1e6
      await hub.answer(id, { value: `yes, ${n}` })
      const { outcome, at } = await resumed
      expect(outcome?.answers[0]?.text).toBe(`yes, ${n}`)
      times.push(at - answered)
    }
    // A lost wake-up would end with the next poll, a second later or more; a busy machine is occasionally late.
    expect(times.filter(time => time > 800).length, `slowest: ${Math.max(...times)} ms`).toBeLessThanOrEqual(2)
  })
})

describe('waiting on PostgreSQL with cut connections', () => {
  let admin: pg.Client

  beforeEach(async () => {
    database = await freshDatabase()
    admin = new pg.Client({ connectionString: database })
    await admin.connect()
    waiter = await startWaiter(database)
    hub = await openHub({ database })
  })

  afterEach(() => admin.end())

  it('ends with the answer after the cut', { timeout: 60_000 }, async () => {
    for (let n = 0; n < 10; n += 1) {
      const { id } = await hub.raise({ questions: [{ question: `Cut number ${n}?` }] })
      const { resumed } = await waiter.wait(id)
      await cutConnections()
      await sleep(n * 10)
      const { won, replay } = await hub.answer(id, { value: 'still here' })
      expect(won || replay).toBe(true)
      expect((await resumed).outcome?.answers[0]?.text).toBe('still here')
    }
  })

  it('ends with the answer if the connection is cut at the same moment', { timeout: 60_000 }, async () => {
    for (let n = 0; n < 20; n += 1) {
      const { id } = await hub.raise({ questions: [{ question: `Cut number ${n}?` }] })
      const { resumed } = await waiter.wait(id)
      const [{ won, replay }] = await Promise.all([hub.answer(id, { value: 'at once' }), cutConnections()])
      expect(won || replay).toBe(true)
      expect((await resumed).outcome?.answers[0]?.text).toBe('at once')
    }
    expect(await countAnswers()).toBe(20)
  })

  it('gives a follower every event once, in order', { timeout: 60_000 }, async () => {
    const asking = (async () => {
      for (let n = 0; n < 200; n += 1) await hub.raise({ questions: [{ question: `Event ${n}?` }] })
    })()
    for (let n = 0; n < 10; n += 1) {
      await sleep(20 + n * 5)
      await cutConnections()
    }
    await asking
    const everything = Array.from({ length: 200 }, (_, n) => n + 1)
    await expect.poll(() => waiter.followed(), { timeout: 20_000 }).toEqual(everything)
  })

  /** Cuts both connections of both processes: the one that writes, and the one that reads and listens. */
  async function cutConnections() {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
  }

  async function countAnswers(): Promise<number> {
    const events = await hub.events()
    return events.filter(event => event.type === 'request.answered').length
  }
})
