import { statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { BeckonError } from '../../src/protocol/index.ts'
import { requestLock } from '../../src/store/locks.ts'
import { openStore } from '../../src/store/open.ts'
import type { EventRecord, RequestRecord } from '../../src/store/records.ts'
import { AfterCommit, type Store, type Transaction } from '../../src/store/store.ts'
import { databases } from '../setup/databases.ts'
import {
  prune,
  sampleCheckpoint,
  sampleDraft,
  sampleOutcome,
  sampleRequest,
  sampleRun,
  sampleToken,
  stored,
} from './samples.ts'

describe.each(databases)('a store on $name', ({ fresh }) => {
  const open: Store[] = []

  afterEach(async () => {
    await Promise.all(open.splice(0).map(store => store.close()))
  })

  async function openOne(database: string): Promise<Store> {
    const store = await openStore({ database })
    open.push(store)
    return store
  }

  async function openTwo() {
    const database = await fresh()
    return [await openOne(database), await openOne(database)] as const
  }

  it('finds tokens by their hash, and uses up a link once', async () => {
    const [one, other] = await openTwo()
    const link = sampleToken({ kind: 'link', expiresAt: 100 })
    const late = sampleToken({ kind: 'link', expiresAt: 50 })
    const token = sampleToken({})
    await one.change(async tx => {
      for (const each of [link, late, token]) await tx.insertToken(each)
    })
    expect(await other.read(view => view.tokenByHash(token.hash))).toEqual(token)
    expect(await other.read(view => view.tokenByHash('none'))).toBeNull()
    expect(await other.read(view => view.tokens(10))).toEqual([token])
    const spent = await Promise.all([one, other, one].map(store => store.change(tx => tx.spendLink(link.hash, 60))))
    expect(spent.filter(record => record !== null)).toMatchObject([{ id: link.id, revokedAt: 60 }])
    expect(await one.change(tx => tx.spendLink(late.hash, 60))).toBeNull()
    expect(await one.change(tx => tx.spendLink(token.hash, 60))).toBeNull()
  })

  it('revokes everything that ends with a token, at any depth and in any number', async () => {
    const [one, other] = await openTwo()
    const token = sampleToken({})
    const sessions = Array.from({ length: 60 }, () => sampleToken({ kind: 'session', parent: token.id }))
    const links = sessions.map(session => sampleToken({ kind: 'link', parent: session.id }))
    const agent = sampleToken({ parent: token.id })
    const foreign = sampleToken({ kind: 'session', parent: sampleToken({}).id })
    await one.change(async tx => {
      for (const each of [token, ...sessions, ...links, agent, foreign]) await tx.insertToken(each)
    })
    const [first] = sessions
    expect(await other.change(tx => tx.revokeToken(first?.id ?? '', 5))).toHaveLength(2)
    const revoked = await other.change(tx => tx.revokeToken(token.id, 10))
    expect(revoked).toHaveLength(1 + 59 + 59 + 1)
    expect(await one.read(view => view.token(links[0]?.id ?? ''))).toMatchObject({ revokedAt: 5 })
    expect(await one.read(view => view.token(foreign.id))).toEqual(foreign)
  })

  it('revokes a token with its sessions once, and lists the tokens revoked since a time', async () => {
    const [one, other] = await openTwo()
    const token = sampleToken({})
    const session = sampleToken({ kind: 'session', parent: token.id })
    const otherSession = sampleToken({ kind: 'session' })
    await one.change(async tx => {
      for (const each of [token, session, otherSession]) await tx.insertToken(each)
      await tx.touchToken(token.id, 5)
    })
    const revoked = await one.change(tx => tx.revokeToken(token.id, 10))
    expect(revoked.map(({ id }) => id).sort()).toEqual([token.id, session.id].sort())
    expect(await other.change(tx => tx.revokeToken(token.id, 20))).toEqual([])
    expect(await other.read(view => view.token(token.id))).toEqual({ ...token, lastUsedAt: 5, revokedAt: 10 })
    expect((await other.read(view => view.revokedSince(10))).sort()).toEqual([token.id, session.id].sort())
    expect(await other.read(view => view.revokedSince(11))).toEqual([])
    expect(await other.read(view => view.revokedSince(0))).toHaveLength(2)
    await prune(one, 11)
    expect(await other.read(view => view.token(token.id))).toBeNull()
    expect(await other.read(view => view.tokenByHash(otherSession.hash))).toEqual(otherSession)
  })

  it('shows a change to other stores once it has returned', async () => {
    const [one, other] = await openTwo()
    const request = await stored(one)
    expect(await other.read(view => view.request(request.id))).toEqual(request)
  })

  it('returns a request exactly as it was stored', async () => {
    const [one, other] = await openTwo()
    const request = await stored(one, {
      body: { questions: [{ question: '배포할까요? 👩‍🚀 "quoted"\n\\ \u202e' }] },
      context: '# 背景\n```sh\nrm -rf ./build\n```',
      key: 'k',
      timeout: 3_600_000,
      deadline: 4_102_444_800_000,
      due: 4_102_444_800_000,
      required: false,
    })
    expect(await other.read(view => view.request(request.id))).toEqual(request)
  })

  it('rolls back a failed change with its events, and no other change', async () => {
    const [store] = await openTwo()
    const good = sampleRequest()
    const bad = sampleRequest()
    const results = await Promise.allSettled([
      store.change(async tx => {
        await tx.insertRequest(bad)
        tx.append({ type: 'request.created', request: bad.id, run: null, data: {} })
        throw new Error('changed my mind')
      }),
      store.change(async tx => {
        await tx.insertRequest(good)
        tx.append({ type: 'request.created', request: good.id, run: null, data: {} })
      }),
    ])
    expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled'])
    expect(await store.read(view => view.request(bad.id))).toBeNull()
    expect(await store.read(view => view.request(good.id))).toEqual(good)
    expect((await store.read(view => view.events(0, 10))).map(event => event.request)).toEqual([good.id])
  })

  it('lets each change of a batch fail separately', async () => {
    const [store] = await openTwo()
    const first = sampleRequest()
    const attempts = [first, { ...sampleRequest(), id: first.id }, sampleRequest()]
    const results = await Promise.allSettled(attempts.map(request => store.change(tx => tx.insertRequest(request))))
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('does not acknowledge a change in which a statement failed, although the change went on', async () => {
    const [one, other] = await openTwo()
    const run = sampleRun()
    await one.change(tx => tx.insertRun(run))
    for (const isAwaited of [true, false]) {
      const request = sampleRequest()
      const change = one.change(async tx => {
        await tx.insertRequest(request)
        const failing = tx.insertRun(run).catch(() => {})
        if (isAwaited) await failing
      })
      await expect(change).rejects.toThrow()
      expect(await other.read(view => view.request(request.id))).toBeNull()
    }
  })

  it('tells a change that is retried alone that nothing is committed yet', async () => {
    const [store] = await openTwo()
    const seen: boolean[] = []
    const results = await Promise.allSettled([
      store.change(async tx => {
        seen.push(tx.alreadyCommitted)
        await tx.insertRequest(sampleRequest())
      }),
      store.change(async tx => {
        await tx.insertRequest(sampleRequest())
        throw new Error('spoils the batch')
      }),
    ])
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected'])
    expect(seen).toEqual([false, false])
  })

  it('does not rerun other changes when one is refused before it wrote', async () => {
    const [store] = await openTwo()
    const runs: string[] = []
    const refused = store.change(async () => {
      throw new BeckonError('not_found', 'nothing there')
    })
    const sibling = store.change(async tx => {
      runs.push('ran')
      await tx.insertRequest(sampleRequest())
    })
    await expect(refused).rejects.toThrow('nothing there')
    await sibling
    expect(runs).toEqual(['ran'])
  })

  it('runs changes with the same lock one after the other, also across stores', async () => {
    const stores = await openTwo()
    const claims = Array.from({ length: 20 }, (_, i) => {
      const store = stores[i % 2] as Store
      return store.change(async tx => {
        const there = await tx.untakenOfContent('same', 'shell')
        if (there) return there.id
        const request = sampleRequest({ content: 'same' })
        await tx.insertRequest(request)
        return request.id
      }, 'scope|same')
    })
    expect(new Set(await Promise.all(claims)).size).toBe(1)
  })

  it('finds and stores for each of many changes at once what is its own', async () => {
    const [store, other] = await openTwo()
    const contexts = ['plain', '', null, '{"a", NULL}', 'NULL', '\\ "quoted"', "it's", '배포할까요? 👩‍🚀\n']
    const asked = contexts.map((context, i) => {
      const key = i % 2 === 0 ? null : `key ${i}`
      return sampleRequest({ context, content: `content ${i}`, key, timeout: i || null, session: i === 1 ? '' : null })
    })
    const askAll = () => Promise.all(asked.map(request => store.change(tx => findOrInsert(tx, request), request.id)))
    expect(await askAll()).toEqual(asked.map(() => null))
    expect(await askAll()).toEqual(asked)
    expect(await Promise.all(asked.map(({ id }) => other.read(view => view.request(id))))).toEqual(asked)
  })

  it('numbers events in commit order without a gap, with many writers', async () => {
    const database = await fresh()
    const stores = await Promise.all([openOne(database), openOne(database), openOne(database)])
    const reader = await openOne(database)
    const seen: EventRecord[] = []
    let writing = true
    const following = follow()
    await Promise.all(stores.map(writeMany))
    writing = false
    await following
    expect(seen.map(event => event.id)).toEqual(Array.from({ length: 360 }, (_, i) => i + 1))
    expect(await reader.read(view => view.lastEvent())).toBe(360)

    async function writeMany(store: Store) {
      for (let i = 0; i < 30; i += 1) {
        await Promise.all(
          [1, 2, 3, 4].map(() =>
            store.change(async tx => tx.append({ type: 'run.error', request: null, run: null, data: { i } })),
          ),
        )
      }
    }

    // Reads while others write: no event may appear later behind the cursor.
    async function follow() {
      for (let done = false; !done; ) {
        done = !writing
        await setImmediate()
        const events = await reader.read(view => view.events(seen.at(-1)?.id ?? 0, 50))
        seen.push(...events)
        if (events.length > 0) done = false
      }
    }
  })

  it('numbers the events of changes in one transaction in the order they happened', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store)
    const slow = store.change(async tx => {
      while ((await tx.request(id))?.status === 'pending') await tx.now()
      tx.append({ type: 'run.error', request: id, run: null, data: {} })
    })
    const quick = store.change(async tx => {
      await tx.settle(id, sampleOutcome('yes'), 5)
      tx.append({ type: 'request.answered', request: id, run: null, data: {} })
    }, requestLock(id))
    await Promise.all([slow, quick])
    const types = (await store.read(view => view.events(0, 10))).map(event => event.type)
    expect(types).toEqual(['request.created', 'request.answered', 'run.error'])
  })

  it('settles a request once', async () => {
    const [one, other] = await openTwo()
    const { id } = await stored(one)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? one : other).change(tx => tx.settle(id, sampleOutcome(String(i)), 5)),
      ),
    )
    const winners = results.filter(result => result !== null)
    expect(winners).toHaveLength(1)
    expect((await one.read(view => view.request(id)))?.outcome).toEqual(winners[0]?.outcome)
  })

  it('settles each of many at commit with its own outcome, and appends events only for the winners', async () => {
    const [one, other] = await openTwo()
    const requests = await Promise.all(Array.from({ length: 5 }, () => stored(one)))
    const ids = requests.map(({ id }) => id)
    await other.change(tx => tx.settle(ids[1] ?? '', sampleOutcome('first'), 1))
    const last = await one.read(view => view.lastEvent())
    const passed: EventRecord[] = []
    const watch = await one.watch((events = []) => passed.push(...events))
    const decide = (id: string, i: number) =>
      one.change<RequestRecord | null>(async tx => {
        const status = i === 2 ? 'declined' : 'answered'
        const decided = { ...sampleOutcome(`person ${i}`), status } as const
        const event = { type: `request.${status}`, request: id, run: null, data: { by: i } } as const
        const settled = tx.settleAtCommit(id, decided, await tx.now(), event)
        return new AfterCommit(async () => settled())
      })
    const results = await Promise.all(ids.map(decide))
    watch.stop()
    const kept = await Promise.all(ids.map(id => other.read(view => view.request(id))))
    expect(results).toEqual(kept.map((record, i) => (i === 1 ? null : record)))
    expect(kept.map(record => [record?.status, record?.outcome?.answers[0]?.text])).toEqual([
      ['answered', 'person 0'],
      ['answered', 'first'],
      ['declined', 'person 2'],
      ['answered', 'person 3'],
      ['answered', 'person 4'],
    ])
    const announced = await other.read(view => view.events(last, 10))
    expect(announced.map(({ id, type, request, data }) => [id - last, type, request, data.by])).toEqual([
      [1, 'request.answered', ids[0], 0],
      [2, 'request.declined', ids[2], 2],
      [3, 'request.answered', ids[3], 3],
      [4, 'request.answered', ids[4], 4],
    ])
    expect(passed).toEqual(announced)
  })

  it('lets one of several changes win that settle the same request in one transaction', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store)
    const last = await store.read(view => view.lastEvent())
    const decide = (by: string) =>
      store.change<RequestRecord | null>(async tx => {
        const event = { type: 'request.answered', request: id, run: null, data: { by } } as const
        const settled = tx.settleAtCommit(id, sampleOutcome(by), await tx.now(), event)
        return new AfterCommit(async () => settled())
      })
    const results = await Promise.all(['one', 'two', 'three'].map(decide))
    const winners = results.filter(record => record !== null)
    expect(winners).toHaveLength(1)
    const events = await store.read(view => view.events(last, 10))
    expect(events.map(event => event.data.by)).toEqual([winners[0]?.outcome?.answers[0]?.text])
  })

  it('fires a deadline only if it is still set and has passed', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store, { due: 100, deadline: 100, timeout: 50 })
    const fire = (at: number) => store.change(tx => tx.settle(id, sampleOutcome('late', at), at, { onlyIfDue: true }))
    expect(await fire(99)).toBeNull()
    await store.change(tx => tx.reschedule(id, { timeout: 100, due: 200 }))
    expect(await fire(100)).toBeNull()
    await store.change(tx => tx.reschedule(id, null))
    expect(await fire(1_000)).toBeNull()
    await store.change(tx => tx.reschedule(id, { timeout: 1, due: 300 }))
    expect((await fire(300))?.status).toBe('answered')
    expect(await fire(301)).toBeNull()
  })

  it('sets the next reminder only if the current one is unchanged', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store, { due: 100 })
    const remind = () => store.change(tx => tx.remind(id, 100, 200))
    expect(await Promise.all([remind(), remind()])).toEqual([true, false])
  })

  it('finds the requests that are due, most overdue first, and the next due time', async () => {
    const [store] = await openTwo()
    const late = await stored(store, { due: 50 })
    const early = await stored(store, { due: 20 })
    await stored(store, { due: 500 })
    await stored(store)
    expect((await store.read(view => view.due(100, 10))).map(request => request.id)).toEqual([early.id, late.id])
    expect(await store.read(view => view.nextDue())).toBe(20)
  })

  it('allows a key once in a scope', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store, { key: 'deploy', scope: 'a' })
    await stored(store, { key: 'deploy', scope: 'b' })
    await expect(stored(store, { key: 'deploy', scope: 'a' })).rejects.toThrow()
    expect((await store.read(view => view.requestByKey('a', 'deploy')))?.id).toBe(id)
  })

  it('finds the next request with the same content that a start of a run has not taken', async () => {
    const [store] = await openTwo()
    const run = sampleRun()
    await store.change(tx => tx.insertRun(run))
    const same = { run: run.id, content: 'Continue?' }
    const first = await stored(store, { ...same, createdAt: 1 })
    const second = await stored(store, { ...same, createdAt: 2 })
    const next = (start: number) => store.read(view => view.nextOfContentInRun('Continue?', start))
    expect((await next(1))?.id).toBe(first.id)
    await store.change(async tx => {
      await tx.settle(first.id, sampleOutcome('yes'), 3)
      await tx.deliver(first.id)
    })
    expect((await next(1))?.id).toBe(second.id)
    expect((await next(2))?.id).toBe(first.id)
    await store.change(async tx => {
      await tx.replaceRun({ ...run, start: 2 }, 'running')
      await tx.redeliver(first.id)
    })
    expect((await next(2))?.id).toBe(second.id)
  })

  it('delivers a settled request once', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store)
    const deliver = () => store.change(async tx => ({ delivered: await tx.deliver(id), now: await tx.now() }))
    expect((await deliver()).delivered).toBeNull()
    await store.change(tx => tx.settle(id, sampleOutcome('yes'), 5))
    const { delivered, now } = await deliver()
    expect(delivered?.deliveredAt).toBe(now)
    expect((await deliver()).delivered).toBeNull()
  })

  it('uses an approval once', async () => {
    const [one, other] = await openTwo()
    const { id } = await stored(one, { kind: 'approval' })
    await one.change(tx => tx.settle(id, sampleOutcome('yes'), 5))
    const spent = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? one : other).change(tx => tx.use(id, 6, null))),
    )
    expect(spent.filter(record => record !== null)).toHaveLength(1)
  })

  it('lists requests by status, run and kind, in pages', async () => {
    const [store] = await openTwo()
    const a = await stored(store, { run: 'r1' })
    const b = await stored(store, { kind: 'review' })
    const c = await stored(store, { run: 'r1', status: 'cancelled' })
    const list = async (query: object) => {
      const all = {
        status: null,
        run: null,
        kind: null,
        scope: null,
        search: null,
        newestFirst: false,
        after: null,
        limit: 10,
      }
      return (await store.read(view => view.requests({ ...all, ...query }))).records.map(request => request.id)
    }
    expect(await list({})).toEqual([a.id, b.id, c.id])
    expect(await list({ status: 'pending' })).toEqual([a.id, b.id])
    expect(await list({ run: 'r1' })).toEqual([a.id, c.id])
    expect(await list({ kind: 'review' })).toEqual([b.id])
    expect(await list({ after: a.id, limit: 1 })).toEqual([b.id])
  })

  it('finds requests, runs and checkpoints by the end of their ids, newest first', async () => {
    const [store] = await openTwo()
    const ids = ['req_01jz0000a7f3', 'req_01jz0000b7f3', 'req_01jz0000b7f4', 'req_7f3']
    for (const id of ids) await stored(store, { id })
    await store.change(async tx => {
      await tx.insertRun(sampleRun({ id: 'run_01jz0000a7f3' }))
      await tx.insertCheckpoint({ ...sampleCheckpoint('run_01jz0000a7f3'), id: 'chk_01jz0000a7f3' })
    })
    const find = (noun: 'request' | 'run' | 'checkpoint', end: string, limit = 10) =>
      store.read(view => view.idsEndingWith(noun, end, limit))
    expect(await find('request', '7f3')).toEqual([ids[3], ids[1], ids[0]])
    expect(await find('request', '7f3', 1)).toEqual([ids[3]])
    expect(await find('request', 'b7f3')).toEqual([ids[1]])
    expect(await find('request', '01jz0000b7f4')).toEqual([ids[2]])
    expect(await find('request', 'x01jz0000b7f4')).toEqual([])
    expect(await find('request', '7f')).toEqual([])
    expect(await find('run', '7f3')).toEqual(['run_01jz0000a7f3'])
    expect(await find('checkpoint', '7f3')).toEqual(['chk_01jz0000a7f3'])
  })

  it('changes a run only if its state is unchanged', async () => {
    const [one, other] = await openTwo()
    const run = sampleRun()
    await one.change(tx => tx.insertRun(run))
    const move = (store: Store, status: 'paused' | 'stopped') =>
      store.change(tx => tx.replaceRun({ ...run, status }, 'running'))
    const moved = await Promise.all([move(one, 'paused'), move(other, 'stopped')])
    expect([...moved].sort()).toEqual([false, true])
    expect(
      (await one.read(view => view.runs({ which: 'active', host: null, local: false, token: null, limit: 10 }))).length,
    ).toBe(moved[0] ? 1 : 0)
  })

  it('stores sealed bytes, and deletes those of a run', async () => {
    const [store] = await openTwo()
    const seal = (request: string, run: string) => ({
      request,
      run,
      bytes: Buffer.from([0, 1, 255]),
      mac: Buffer.from('mac'),
      fingerprint: 'f',
      kept: null,
    })
    await store.change(async tx => {
      await tx.seal(seal('a', 'r'))
      await tx.seal(seal('b', 'other'))
    })
    expect(await store.read(view => view.sealed('a'))).toEqual(seal('a', 'r'))
    await store.change(tx => tx.unsealRun('r'))
    expect(await store.read(view => view.sealed('a'))).toBeNull()
    expect(await store.read(view => view.sealed('b'))).toEqual(seal('b', 'other'))
  })

  it('stores the last draft of each person unchanged', async () => {
    const [one, other] = await openTwo()
    const { id } = await stored(one)
    const draft = {
      request: id,
      answers: [{ id: 'q1', selected: ['예', '"no"'], text: ' half a sen\n\\ 👩‍🚀', note: '\u202e' }],
      note: 'x'.repeat(20_000),
      by: 'me',
      at: 4_102_444_800_000,
    }
    expect(await one.read(view => view.drafts(id, 'me'))).toEqual([])
    expect(await one.change(tx => tx.saveDraft({ ...draft, note: 'first' }))).toBe(true)
    expect(await other.change(tx => tx.saveDraft(draft))).toBe(true)
    expect(await one.read(view => view.drafts(id, 'me'))).toEqual([draft])
    const older = { ...sampleDraft(id, 'older'), by: 'ada', at: 1 }
    const newer = { ...sampleDraft(id, 'newer'), by: '미나 "\\', at: 2 }
    for (const one of [older, newer]) await other.change(tx => tx.saveDraft(one))
    expect(await one.read(view => view.drafts(id, 'ada'))).toEqual([older, draft, newer])
    expect(await one.read(view => view.drafts(id, 'nobody'))).toEqual([draft, newer, older])
    await one.change(tx => tx.deleteDraft(id, 'me'))
    expect(await other.read(view => view.drafts(id, 'me'))).toEqual([newer, older])
    for (const none of ['req_none', 'req_\0', '\ud800', '']) {
      expect(await one.read(view => view.drafts(none, 'me'))).toEqual([])
    }
  })

  it('shows a discarded draft to its author alone, until they save it again', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store)
    const draft = sampleDraft(id, 'half')
    const seenBy = (reader: string) => store.read(view => view.drafts(id, reader))
    await store.change(tx => tx.saveDraft(draft))
    expect(await store.change(tx => tx.discardDraft(id, 'nobody'))).toBe(false)
    expect(await seenBy('other')).toEqual([draft])
    expect(await store.change(tx => tx.discardDraft(id, draft.by))).toBe(true)
    expect(await store.change(tx => tx.discardDraft(id, draft.by))).toBe(false)
    expect(await seenBy('other')).toEqual([])
    expect(await seenBy(draft.by)).toEqual([draft])
    await store.change(tx => tx.saveDraft(draft))
    expect(await seenBy('other')).toEqual([draft])
  })

  it('stores drafts only of pending requests that are not secrets', async () => {
    const [store] = await openTwo()
    const open = await stored(store)
    const secret = await stored(store, { kind: 'dependency' })
    const over = await stored(store, { status: 'answered', settledAt: 10 })
    const save = (id: string) => store.change(tx => tx.saveDraft(sampleDraft(id, 'half')))
    expect(await Promise.all([open.id, secret.id, over.id, 'req_none'].map(save))).toEqual([true, false, false, false])
    await store.change(tx => tx.settle(open.id, sampleOutcome('yes'), 5))
    expect(await save(open.id)).toBe(false)
    for (const { id } of [open, secret, over]) expect(await store.read(view => view.drafts(id, 'me'))).toEqual([])
  })

  it('appends no event for a draft', async () => {
    const [store] = await openTwo()
    const { id } = await stored(store)
    await store.change(tx => tx.saveDraft(sampleDraft(id, 'half')))
    await store.change(tx => tx.discardDraft(id, 'me'))
    await store.change(tx => tx.deleteDraft(id, 'me'))
    expect(await store.read(view => view.lastEvent())).toBe(1)
  })

  it('prunes the drafts of settled and deleted requests, and not of pending ones', async () => {
    const [store] = await openTwo()
    const [open, settled, gone] = [await stored(store), await stored(store), await stored(store)]
    for (const { id } of [open, settled, gone]) {
      await store.change(tx => tx.saveDraft(sampleDraft(id, 'half')))
    }
    await store.change(tx => tx.settle(gone.id, sampleOutcome('yes'), 10))
    await store.change(tx => tx.settle(settled.id, sampleOutcome('yes'), 5_000))
    await prune(store, 100)
    const file = await (databases[0] as (typeof databases)[0]).fresh()
    await store.backup(file)
    const copy = new Database(file, { readonly: true })
    expect(copy.prepare('select request from drafts').pluck().all()).toEqual([open.id])
    copy.close()
    expect(await store.read(view => view.drafts(open.id, 'me'))).toEqual([sampleDraft(open.id, 'half')])
  })

  it('prunes the snoozes of settled and deleted requests, and those that ended long ago', async () => {
    const [store] = await openTwo()
    const [open, past, settled, gone] = [
      await stored(store),
      await stored(store),
      await stored(store),
      await stored(store),
    ]
    const until = (await store.read(view => view.now())) + 60_000
    for (const { id } of [open, past, settled, gone]) {
      await store.change(tx => tx.snooze(id, 'me', id === past.id ? 50 : until))
    }
    await store.change(tx => tx.settle(gone.id, sampleOutcome('yes'), 10))
    await store.change(tx => tx.settle(settled.id, sampleOutcome('yes'), 5_000))
    await prune(store, 100)
    const file = await (databases[0] as (typeof databases)[0]).fresh()
    await store.backup(file)
    const copy = new Database(file, { readonly: true })
    expect(copy.prepare('select request from snoozes').pluck().all()).toEqual([open.id])
    copy.close()
  })

  it('stores the checkpoints of a run unchanged, and lists the newest first', async () => {
    const [one, other] = await openTwo()
    const [run, another] = [sampleRun(), sampleRun()]
    const snapshot = {
      commit: 'a'.repeat(64),
      ref: 'refs/beckon/run/1',
      root: '/작업/"quoted"\n',
      head: null,
      branch: 'main',
      dirty: true,
      leftOut: ['large.bin'],
    }
    const differs = {
      requests: ['req_1', 'req_2'],
      session: 's',
      logPosition: 5_000_000_000,
      snapshot,
      note: '메모 👩‍🚀',
    }
    const taken = [sampleCheckpoint(run.id), sampleCheckpoint(run.id, differs), sampleCheckpoint(another.id)]
    for (const checkpoint of taken) await one.change(tx => tx.insertCheckpoint(checkpoint))
    expect(await other.read(view => view.checkpoint(taken[1]?.id ?? ''))).toEqual(taken[1])
    expect(await other.read(view => view.checkpoints(run.id, 10))).toEqual([taken[1], taken[0]])
    expect(await other.read(view => view.checkpoints(run.id, 1))).toEqual([taken[1]])
    expect(await other.read(view => view.checkpoint('no/id\0at all'))).toBeNull()
  })

  it('stores the log of a run in pieces, trims it, and prunes it with the run', async () => {
    const [one, other] = await openTwo()
    const run = sampleRun({ status: 'completed', endedAt: 10 })
    await one.change(tx => tx.insertRun(run))
    const pieces = [1, 2, 3].map(number => ({
      run: run.id,
      number,
      start: (number - 1) * 10,
      offset: number * 10,
      notes: number - 1,
      total: number * 100,
      closed: number === 3,
      records: [{ stream: 'out' as const, at: number, offset: (number - 1) * 10, length: 3 }],
      bytes: Buffer.of(0, 255, number),
    }))
    expect(await other.read(view => view.logEnd(run.id))).toBeNull()
    for (const piece of pieces) await one.change(tx => tx.insertLogPiece(piece))
    await expect(one.change(tx => tx.insertLogPiece(pieces[2] as never))).rejects.toThrow()
    const { number, offset, notes, total, closed } = pieces[2] as (typeof pieces)[0]
    expect(await other.read(view => view.logEnd(run.id))).toEqual({ number, offset, notes, total, closed })
    const behind = (offset: number, notes: number, limit = 10) =>
      other.read(view => view.logPieces(run.id, { offset, notes }, limit))
    expect(await behind(0, 0)).toEqual(pieces)
    expect(await behind(0, 0, 2)).toEqual(pieces.slice(0, 2))
    expect(await behind(20, 0)).toEqual(pieces.slice(1))
    expect(await behind(20, 1)).toEqual(pieces.slice(2))
    expect(await behind(30, 2)).toEqual([])
    await one.change(tx => tx.trimLog(run.id, { number, offset, notes, total, closed }, 150))
    expect(await behind(0, 0)).toEqual(pieces.slice(1))
    expect(await other.read(view => view.logStart(run.id))).toBe(10)
    await one.change(tx => tx.trimLog(run.id, { number, offset, notes, total, closed }, 0))
    expect(await behind(0, 0)).toEqual(pieces.slice(2))
    await prune(one, 100)
    expect(await behind(0, 0)).toEqual([])
  })

  it('prunes checkpoints with their run, and returns them', async () => {
    const [store] = await openTwo()
    const old = sampleRun({ status: 'completed', endedAt: 10 })
    const young = sampleRun({ status: 'completed', endedAt: 5_000 })
    const checkpoints = [old, young].map(run => sampleCheckpoint(run.id))
    for (const run of [old, young]) await store.change(tx => tx.insertRun(run))
    for (const checkpoint of checkpoints) await store.change(tx => tx.insertCheckpoint(checkpoint))
    expect(await prune(store, 100)).toMatchObject({ runs: [old.id], checkpoints: [checkpoints[0]] })
    expect(await store.read(view => view.checkpoints(old.id, 10))).toEqual([])
    expect(await store.read(view => view.checkpoints(young.id, 10))).toEqual([checkpoints[1]])
  })

  it('is bound to a key while values are sealed with it', async () => {
    const [store] = await openTwo()
    const sealed = { request: 'a', run: null, bytes: Buffer.of(1), mac: Buffer.of(2), fingerprint: 'f', kept: null }
    await store.change(async tx => {
      await tx.setFingerprint('f')
      await tx.seal(sealed)
    })
    expect(await store.read(view => view.fingerprint())).toBe('f')
    await store.change(tx => tx.unseal('a'))
    expect(await store.read(view => view.fingerprint())).toBeNull()
  })

  it('prunes old settled requests, and nothing that is pending or awaited', async () => {
    const [store] = await openTwo()
    const old = await stored(store, { status: 'answered', settledAt: 10 })
    const young = await stored(store, { status: 'answered', settledAt: 5_000 })
    const open = await stored(store, { createdAt: 1 })
    const run = sampleRun()
    await store.change(tx => tx.insertRun(run))
    const awaited = await stored(store, { status: 'answered', settledAt: 10, run: run.id })
    const asleep = sampleRun({ status: 'failed', endedAt: 10, resumeCommand: ['resume'] })
    await store.change(tx => tx.insertRun(asleep))
    const parked = await stored(store, { run: asleep.id })
    const last = await store.read(view => view.lastEvent())
    expect(await prune(store, 100)).toEqual({
      requests: [old.id],
      events: 0,
      runs: [],
      checkpoints: [],
    })
    expect(await store.read(view => view.request(old.id))).toBeNull()
    expect(await store.read(view => view.run(asleep.id))).not.toBeNull()
    for (const { id } of [young, open, awaited, parked])
      expect(await store.read(view => view.request(id))).not.toBeNull()
    await prune(store, Number.MAX_SAFE_INTEGER)
    const eventsLeft = await store.read(view => view.events(0, 10))
    expect(eventsLeft.map(event => event.request)).toEqual([open.id, awaited.id, parked.id])
    // Event ids are never reused.
    await stored(store)
    expect((await store.read(view => view.events(last, 10))).map(event => event.id)).toEqual([last + 1])
  })

  it('calls watchers after a commit of another store, until they stop', async () => {
    const [one, other] = await openTwo()
    const calls = { count: 0 }
    const first = Promise.withResolvers<void>()
    const watch = await one.watch(() => {
      calls.count += 1
      first.resolve()
    })
    await stored(other)
    await first.promise
    watch.stop()
    const before = calls.count
    await stored(one)
    expect(calls.count).toBe(before)
  })

  it('passes the events of its own commits to its watchers', async () => {
    const [store] = await openTwo()
    const passed: EventRecord[] = []
    const watch = await store.watch((events = []) => passed.push(...events))
    const { id } = await stored(store)
    watch.stop()
    expect(passed).toMatchObject([{ type: 'request.created', request: id }])
    expect(passed).toEqual(await store.read(view => view.events(0, 10)))
  })

  it('can be created by many processes at once', async () => {
    const database = await fresh()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openOne(database)))
    await Promise.all(stores.map(store => stored(store)))
    expect(await (stores[0] as Store).read(view => view.lastEvent())).toBe(8)
  })

  it('can be backed up to a file that opens as a store', async () => {
    const [store] = await openTwo()
    const request = await stored(store, { context: '문맥' })
    await store.change(tx =>
      tx.seal({ request: 'x', run: null, bytes: Buffer.of(9), mac: Buffer.of(8), fingerprint: 'f', kept: null }),
    )
    const draft = sampleDraft(request.id, '반쯤')
    await store.change(tx => tx.saveDraft(draft))
    const checkpoint = sampleCheckpoint('run_1')
    await store.change(tx => tx.insertCheckpoint(checkpoint))
    const file = await (databases[0] as (typeof databases)[0]).fresh()
    await store.backup(file)
    await expect(store.backup(file)).rejects.toMatchObject({ code: 'invalid' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const copy = await openOne(file)
    expect(await copy.read(view => view.request(request.id))).toEqual(request)
    expect(await copy.read(view => view.drafts(request.id, 'me'))).toEqual([draft])
    expect(await copy.read(view => view.checkpoint(checkpoint.id))).toEqual(checkpoint)
    expect(await copy.read(view => view.lastEvent())).toBe(1)
    expect((await copy.read(view => view.sealed('x')))?.bytes).toEqual(Buffer.of(9))
    await stored(copy)
    expect(await copy.read(view => view.lastEvent())).toBe(2)
  })

  it('refuses work after it is closed', async () => {
    const [store] = await openTwo()
    await store.close()
    open.splice(open.indexOf(store), 1)
    await expect(stored(store)).rejects.toMatchObject({ code: 'closed' })
  })
})

async function findOrInsert(tx: Transaction, request: RequestRecord): Promise<RequestRecord | null> {
  const { scope, key, content, agent } = request
  const [byContent, byKey] = await Promise.all([
    tx.untakenOfContent(content, agent.name),
    tx.requestByKey(scope, key ?? 'none'),
  ])
  if (!byContent && !byKey) await tx.insertRequest(request)
  return byContent ?? byKey
}
