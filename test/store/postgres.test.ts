import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import type { Grant } from '../../src/hub/access/grant.ts'
import { openHub, openLocalHub } from '../../src/open-hub.ts'
import type { HubApi } from '../../src/protocol/index.ts'
import { latest } from '../../src/store/migrations/latest.ts'
import { openPostgres } from '../../src/store/postgres/store.ts'
import { testKey } from '../setup/databases.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { startBreakableProxy } from './breakable-proxy.ts'
import { sampleDraft, sampleRequest, stored } from './samples.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

describe('the PostgreSQL store', () => {
  const undo: (() => unknown)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step()
  })

  async function administrator(url: string): Promise<pg.Client> {
    const client = new pg.Client(url)
    await client.connect()
    undo.push(() => client.end())
    return client
  }

  /** Cuts every other connection to the database. */
  async function cut(client: pg.Client): Promise<void> {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }

  it('reports that it cannot be reached, without printing the address', async () => {
    const error = await openPostgres({ url: 'postgres://me:canary@127.0.0.1:1/none' }).catch(caught => caught)
    expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('BECKON_DB') })
    expect(error.message).not.toContain('canary')
  })

  it('reports that the database does not exist', async () => {
    const url = new URL(await freshDatabase())
    url.pathname = '/nowhere'
    await expect(openPostgres({ url: url.href })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('does not exist'),
    })
  })

  it('reports that the server has no free connection, and what to do', async () => {
    const url = new URL(await freshDatabase())
    const role = `full_${url.pathname.slice(1)}`
    const admin = await administrator(url.href)
    await admin.query(`create role ${role} login connection limit 0`)
    undo.push(() => admin.query(`drop role ${role}`))
    url.username = role
    await expect(openPostgres({ url: url.href })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/no free connection.*max_connections/),
    })
  })

  it('works on a server that does not say where its log is, such as Amazon Aurora', async () => {
    const url = new URL(await freshDatabase())
    const [role, database] = [`plain_${url.pathname.slice(1)}`, url.pathname.slice(1)]
    const admin = await administrator(url.href)
    await admin.query(`revoke execute on function pg_current_wal_lsn() from public`)
    await admin.query(`create role ${role} login`)
    await admin.query(`alter database ${database} owner to ${role}`)
    undo.push(() =>
      admin.query(`alter database ${database} owner to postgres; drop owned by ${role} cascade; drop role ${role}`),
    )
    url.username = role
    const store = await openPostgres({ url: url.href })
    undo.push(() => store.close())
    await expect(store.probe()).resolves.toBeUndefined()
  })

  it('refuses a newer schema, on opening and later', async () => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    undo.push(() => store.close())
    const admin = await administrator(url)
    await admin.query(`update beckon.meta set value = $1 where name = 'schema_version'`, [String(latest + 1)])
    await expect(stored(store)).rejects.toMatchObject({ code: 'newer_schema' })
    await expect(openPostgres({ url })).rejects.toMatchObject({ code: 'newer_schema' })
  })

  it('continues to write and read after its connections were cut', async () => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    undo.push(() => store.close())
    const first = await stored(store)
    const admin = await administrator(url)
    await cut(admin)
    const second = await stored(store)
    await cut(admin)
    expect(await store.read(view => view.request(first.id))).toEqual(first)
    expect(await store.read(view => view.request(second.id))).toEqual(second)
    expect(await store.read(view => view.lastEvent())).toBe(2)
  })

  it('stores each of many changes once while connections are cut', async () => {
    const url = await freshDatabase()
    const hub = await openHub({ database: url, env: {} })
    undo.push(() => hub.close())
    const admin = await administrator(url)
    const asked = Array.from({ length: 60 }, async (_, i) => {
      const { id } = await hub.raise({ ...shipIt, context: String(i) })
      return id
    })
    for (let i = 0; i < 5; i += 1) await cut(admin)
    const ids = await Promise.all(asked)
    const { requests } = await hub.list({ limit: 1_000 })
    expect(requests.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(await hub.events()).toHaveLength(60)
  })

  it('asks, answers and confirms the delivery in two round trips each', async () => {
    const proxy = await startBreakableProxy(await freshDatabase())
    undo.push(() => proxy.close())
    const hub = await openHub({ database: proxy.url, env: { BECKON_KEY: testKey }, sweeps: false })
    undo.push(() => hub.close())
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      const before = proxy.roundTrips()
      const result = await work()
      expect(proxy.roundTrips() - before).toBe(2)
      return result
    }
    const { id } = await counted(() => hub.raise(shipIt))
    await counted(() => hub.answer(id, { value: 'yes' }))
    expect(await counted(() => hub.confirmDelivery(id))).toMatchObject({ deliveredAt: expect.any(String) })
  })

  it('makes every change once when the connection breaks between a commit and its acknowledgement', async () => {
    const proxy = await startBreakableProxy(await freshDatabase())
    undo.push(() => proxy.close())
    const hub = await openHub({ database: proxy.url, env: { BECKON_KEY: testKey }, sweeps: false })
    undo.push(() => hub.close())
    const cut = async <T>(work: () => Promise<T>): Promise<T> => {
      proxy.arm()
      const result = await work()
      expect(proxy.wasCut()).toBe(true)
      return result
    }
    const { id } = await cut(() => hub.raise(shipIt))
    expect((await hub.list()).requests.map(request => request.id)).toEqual([id])
    expect(await cut(() => hub.answer(id, { value: 'yes' }))).toMatchObject({ won: true, replay: false })
    await cut(() => hub.confirmDelivery(id))
    const secret = await hub.raise({ kind: 'dependency', type: 'api_key', name: 'K', description: 'x' })
    expect(await cut(() => hub.answer(secret.id, { value: 'sk-0123456789' }))).toMatchObject({ won: true })
    expect(await cut(() => hub.use(secret.id))).toMatchObject({ value: 'sk-0123456789' })
    const run = await cut(() => hub.runs.start({ command: ['agent'], cwd: '/' }))
    expect((await hub.runs.list()).map(other => other.id)).toEqual([run.id])
    await cut(() => hub.runs.start({ again: run.id, command: ['agent'], cwd: '/' }))
    expect((await hub.events()).map(event => event.type)).toEqual([
      'request.created',
      'request.answered',
      'request.delivered',
      'request.created',
      'request.answered',
      'request.used',
      'request.delivered',
      'run.started',
      'run.started',
    ])
  })

  describe('when the connection breaks between a commit and its acknowledgement', () => {
    async function openBreakable() {
      const proxy = await startBreakableProxy(await freshDatabase())
      undo.push(() => proxy.close())
      const hub = await openLocalHub({ database: proxy.url, env: { BECKON_KEY: testKey }, sweeps: false })
      undo.push(() => hub.close())
      const cut = async <T>(work: () => Promise<T>): Promise<T> => {
        proxy.arm()
        const result = await work()
        expect(proxy.wasCut()).toBe(true)
        return result
      }
      return { hub, cut }
    }

    it('shows the secret of a token that was created', async () => {
      const { hub, cut } = await openBreakable()
      const { token, secret } = await cut(() => hub.tokens.create({ scope: 'answer' }))
      expect(await hub.access.identify(secret)).toMatchObject({ id: token.id, scope: 'answer' })
      expect((await hub.tokens.list()).map(({ id }) => id)).toEqual([token.id])
    })

    it('signs a browser in with a link, and out', async () => {
      const { hub, cut } = await openBreakable()
      const { sessions } = hub.access
      const link = await cut(() => sessions.makeLink({ name: 'ada', scope: 'answer' }))
      const signedIn = await cut(() => sessions.signIn(link.secret))
      expect(await hub.access.identify(signedIn?.secret ?? '')).toEqual(signedIn?.grant)
      const grant = signedIn?.grant as Grant
      const other = await sessions.signIn((await sessions.makeLink({ name: 'ada', scope: 'answer' })).secret)
      expect(await cut(() => sessions.endOthers(grant))).toEqual([other?.grant.id])
      expect(await cut(() => sessions.end(grant, grant.id))).toEqual([grant.id])
    })

    it('leases a message to the sender that asked', async () => {
      const { hub, cut } = await openBreakable()
      await hub.targets.add({ kind: 'webhook', url: 'https://example.com/hook' })
      const { id } = await hub.raise(shipIt)
      await cut(() => hub.outbox.write())
      const [target] = await hub.outbox.targets()
      const leased = await cut(() => hub.outbox.lease(target?.id ?? '', 10))
      expect(leased.map(({ about }) => about.id)).toEqual([id])
    })

    it('says what was taken away, and notes an error of a run once', async () => {
      const { hub, cut } = await openBreakable()
      const { id } = await hub.raise(shipIt)
      await cut(() => hub.drafts.save(id, { answers: [{ id: 'q1', selected: ['yes'] }], by: 'ada' }))
      expect(await cut(() => hub.drafts.discard(id, 'ada'))).toBe(true)
      const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
      const endpoint = 'https://push.example/1'
      await cut(() => hub.push.subscribe({ endpoint, keys }))
      expect(await cut(() => hub.push.unsubscribe(endpoint))).toBe(true)
      const run = await hub.runs.start({ command: ['agent'], cwd: '/' })
      await cut(() => hub.runs.change(run.id, { error: 'out of luck' }))
      expect((await hub.events()).filter(({ type }) => type === 'run.error')).toHaveLength(1)
    })
  })

  it('stores a change that shares a transaction with one whose read was stopped', async () => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    undo.push(() => store.close())
    const admin = await administrator(url)
    const { id } = await stored(store)
    const blocker = await administrator(url)
    await blocker.query('begin; lock table beckon.runs in access exclusive mode')
    const changes = Promise.all([
      store.change(tx => tx.saveDraft(sampleDraft(id, 'typed'))),
      store.change(tx => tx.run('run_000001')),
    ])
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and application_name = 'beckon' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(1)
    await admin.query(`select pg_cancel_backend(pid) from (${waiting}) as waiting`)
    await blocker.query('rollback')
    expect(await changes).toEqual([true, null])
    expect(await store.read(view => view.drafts(id, 'me'))).toMatchObject([{ answers: [{ text: 'typed' }] }])
  })

  it('says why a request could not be stored, and not that the transaction was aborted', async () => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    undo.push(() => store.close())
    const admin = await administrator(url)
    await admin.query(`create function fill_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
    await admin.query('create trigger full_disk before insert on beckon.requests execute function fill_disk()')
    const insertAndRead = store.change(async tx => {
      await tx.insertRequest(sampleRequest())
      await tx.run('run_000001')
    })
    await expect(insertAndRead).rejects.toMatchObject({ code: 'disk_full' })
    await expect(stored(store)).rejects.toMatchObject({ code: 'disk_full' })
  })

  it('releases every connection after nodes answered in opposite orders', async () => {
    const url = await freshDatabase()
    const hubs = [
      await openHub({ database: url, env: {}, sweeps: false }),
      await openHub({ database: url, env: {}, sweeps: false }),
    ]
    const asked = Array.from({ length: 100 }, (_, i) => (hubs[0] as HubApi).raise({ ...shipIt, context: String(i) }))
    const ids = (await Promise.all(asked)).map(request => request.id)
    const settlements = await Promise.all([
      ...ids.map(id => (hubs[0] as HubApi).answer(id, { value: 'yes' })),
      ...ids.toReversed().map(id => (hubs[1] as HubApi).answer(id, { value: 'no' })),
    ])
    expect(settlements.filter(settlement => settlement.won)).toHaveLength(100)
    await Promise.all(hubs.map(hub => hub.close()))
    const admin = await administrator(url)
    const others = `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await expect.poll(async () => (await admin.query(others)).rows[0].count).toBe(0)
  })

  it('wakes a waiter that lost its connection', async () => {
    const url = await freshDatabase()
    const open = async () => {
      const hub = await openHub({ database: url, env: {} })
      undo.push(() => hub.close())
      return hub
    }
    const [asker, person] = [await open(), await open()]
    const { id } = await asker.raise(shipIt)
    const waiting = asker.wait(id)
    await cut(await administrator(url))
    await person.answer(id, { value: 'yes' })
    expect((await waiting).status).toBe('answered')
  })

  it('wakes a waiter whose connection broke when it began to listen', async () => {
    const url = await freshDatabase()
    const proxy = await startBreakableProxy(url)
    undo.push(proxy.close)
    const asker = await openHub({ database: proxy.url, env: {} })
    undo.push(() => asker.close())
    const { id } = await asker.raise(shipIt)
    proxy.arm('cut', 'listen')
    const waiting = asker.wait(id)
    await expect.poll(proxy.wasCut).toBe(true)
    const person = await openHub({ database: url, env: {} })
    undo.push(() => person.close())
    await person.answer(id, { value: 'yes' })
    expect((await waiting).status).toBe('answered')
  })

  it('requires BECKON_KEY for secrets before anybody enters one', async () => {
    const url = await freshDatabase()
    const secret = { kind: 'dependency', type: 'api_key', name: 'K', description: 'x' } as const
    const without = await openHub({ database: url, env: {} })
    undo.push(() => without.close())
    await expect(without.raise(secret)).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('BECKON_KEY'),
    })
    await without.raise(shipIt)
    const withKey = await openHub({ database: url, env: { BECKON_KEY: testKey } })
    undo.push(() => withKey.close())
    const { id } = await withKey.raise(secret)
    await withKey.answer(id, { value: 'sk-0123456789' })
    const other = await openHub({ database: url, env: { BECKON_KEY: Buffer.alloc(32, 9).toString('hex') } })
    undo.push(() => other.close())
    await expect(other.use(id)).rejects.toMatchObject({ code: 'wrong_key' })
    expect(await withKey.use(id)).toMatchObject({ value: 'sk-0123456789' })
  })
})
