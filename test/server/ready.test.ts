import { rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { createHub } from '../../src/hub/hub.ts'
import { createLog } from '../../src/server/log.ts'
import { createReadiness } from '../../src/server/readiness.ts'
import { serve } from '../../src/server/serve.ts'
import { latest } from '../../src/store/migrations/latest.ts'
import { usualLimits } from '../../src/store/postgres/liveness.ts'
import { openPostgres } from '../../src/store/postgres/store.ts'
import { databases } from '../setup/databases.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { startBreakableProxy } from '../store/breakable-proxy.ts'
import { call, startServer, type TestServer } from './test-server.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const ready = (server: Pick<TestServer, 'port'>) => call(server, 'GET', '/readyz')

describe.each(databases)('readiness on $name', ({ fresh }) => {
  it('is given without a token, and leaves no events', async () => {
    const server = await startServer(await fresh())
    const before = await server.hub.events()
    expect(await ready(server)).toMatchObject({ status: 200, json: { ok: true, version: '0.0.0' } })
    expect(await server.hub.events()).toEqual(before)
  })
})

const [sqlite] = databases
describe('readiness fails', () => {
  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['overwritten', (file: string) => writeFileSync(file, 'not a database any more '.repeat(1_000))],
  ])('when the SQLite file was %s, and says nothing about the file', async (_, harm) => {
    const file = (await sqlite?.fresh()) ?? ''
    const server = await startServer(file)
    // Until then, everything is in the write-ahead log, and the file itself does not matter.
    const database = new Database(file)
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
    harm(file)
    const { status, json } = await ready(server)
    expect(status).toBe(503)
    expect(JSON.stringify(json)).not.toContain(file)
    expect((await call(server, 'GET', '/healthz')).status).toBe(200)
  })

  it('when a newer Beckon has migrated the database', async () => {
    const url = await freshDatabase()
    const server = await startServer(url)
    const admin = new pg.Client(url)
    await admin.connect()
    undo.push(() => admin.end())
    await admin.query(`update beckon.meta set value = $1 where name = 'schema_version'`, [String(latest + 1)])
    expect(await ready(server)).toMatchObject({ status: 503, json: { error: { code: 'newer_schema' } } })
  })

  it('while PostgreSQL does not answer, and not any longer', async () => {
    const proxy = await startBreakableProxy(await freshDatabase())
    undo.push(() => proxy.close())
    const limits = { ...usualLimits, look: 50, silence: 150, answer: 500, check: 500 }
    const caller = { user: 'a', host: 'h', directory: '/', agent: 's', channel: 'sdk', token: null, boundTo: null }
    const sealing = { sealer: () => Promise.reject(new Error('no secrets here')) }
    const store = await openPostgres({ url: proxy.url, limits })
    const hub = await createHub({ store, sealing, caller, sweeps: false })
    undo.push(() => hub.close())
    const server = await serve({ hub, log: createLog('silent'), version: '0.0.0', port: 0 })
    undo.push(() => server.close())
    proxy.swallow('and new ones')
    const unready = await Promise.all([ready(server), ready(server), ready(server)])
    for (const reply of unready) {
      expect(reply).toMatchObject({ status: 503, json: { error: { code: 'unreachable' } } })
    }
    expect(await call(server, 'GET', '/healthz')).toMatchObject({ status: 200 })
    proxy.deliver()
    await expect.poll(async () => (await ready(server)).status, { timeout: 25_000, interval: 200 }).toBe(200)
  })
})

it('probes once for everybody who asks, and never while a probe hangs', async () => {
  let probes = 0
  let hang = Promise.withResolvers<void>()
  const probe = () => {
    probes += 1
    return hang.promise
  }
  const { check } = createReadiness(probe, createLog('silent'), { holds: 0, deadline: 20 })
  expect(await Promise.all([check(), check(), check()])).toEqual(['unreachable', 'unreachable', 'unreachable'])
  expect(await check()).toBe('unreachable')
  expect(probes).toBe(1)
  hang.resolve()
  await expect.poll(check).toBe(null)
  hang = Promise.withResolvers<void>()
  hang.reject(new Error('odd'))
  await expect.poll(check).toBe('damaged')
})
