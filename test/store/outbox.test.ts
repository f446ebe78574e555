import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import type { MessageRecord, TargetRecord } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { prune, sampleOutcome, stored } from './samples.ts'

let count = 0

function sampleTarget(differs: Partial<TargetRecord> = {}): TargetRecord {
  count += 1
  return {
    id: `target_${count}`,
    kind: 'webhook',
    name: `target ${count}`,
    shown: 'https://example.com/…',
    mark: null,
    wants: { kinds: ['question'], minSeverity: null },
    by: 'person',
    token: null,
    createdAt: 0,
    bytes: Buffer.of(0, 1, 255),
    fingerprint: 'f',
    ...differs,
  }
}

function sampleMessage(subject: string, target: string, differs: Partial<MessageRecord> = {}): MessageRecord {
  count += 1
  return {
    id: `msg_${count}`,
    subject,
    target,
    occasion: 'created',
    at: count,
    state: 'waiting',
    tries: 0,
    due: 100,
    createdAt: count,
    doneAt: null,
    error: null,
    handle: null,
    ...differs,
  }
}

describe.each(databases)('the outbox of a store on $name', ({ fresh }) => {
  const open: Store[] = []

  afterEach(async () => {
    await Promise.all(open.splice(0).map(store => store.close()))
  })

  async function openOne(database?: string): Promise<Store> {
    const store = await openStore({ database: database ?? (await fresh()) })
    open.push(store)
    return store
  }

  const insert = (store: Store, message: MessageRecord) => store.change(tx => tx.insertMessage(message))

  it('stores targets and keys unchanged, and finds targets by name and mark', async () => {
    const store = await openOne()
    const [b, a] = [
      sampleTarget({ name: 'b 배포' }),
      sampleTarget({ name: 'a', mark: 'm', token: 'tok_1', kind: 'push' }),
    ]
    const keys = { public: 'p', bytes: Buffer.of(7), fingerprint: 'f' }
    await store.change(async tx => {
      await tx.insertTarget(b)
      await tx.insertTarget(a)
      await tx.insertPushKeys(keys)
      await tx.setOutboxCursor(5_000_000_000)
    })
    expect(await store.read(view => view.targets())).toEqual([a, b])
    expect(await store.read(view => view.target(b.id))).toEqual(b)
    expect(await store.read(view => view.targetByName('b 배포'))).toEqual(b)
    expect(await store.read(view => view.targetByMark('m'))).toEqual(a)
    expect(await store.read(view => view.pushKeys())).toEqual(keys)
    expect(await store.read(view => view.outboxCursor())).toBe(5_000_000_000)
    await expect(store.change(tx => tx.insertTarget(sampleTarget({ name: 'a' })))).rejects.toThrow()
    await expect(store.change(tx => tx.insertTarget(sampleTarget({ mark: 'm' })))).rejects.toThrow()
    await store.change(tx => tx.deleteTarget(a.id))
    expect(await store.read(view => view.targets())).toEqual([b])
  })

  it('stores one message per request, target and occasion, even from several stores', async () => {
    const database = await fresh()
    const [one, other] = [await openOne(database), await openOne(database)]
    const { id } = await stored(one)
    const first = await Promise.all([one, other, one].map(store => insert(store, sampleMessage(id, 't'))))
    expect(first.filter(Boolean)).toHaveLength(1)
    expect(await insert(one, sampleMessage(id, 't', { occasion: 'reminded 9' }))).toBe(true)
    expect(await insert(one, sampleMessage(id, 'u'))).toBe(true)
    expect(await one.read(view => view.waitingMessages(1_000))).toBe(3)
  })

  it('leases a message to one store until the lease expires', async () => {
    const database = await fresh()
    const stores = [await openOne(database), await openOne(database), await openOne(database)]
    const [store] = stores as [Store, Store, Store]
    const { id } = await stored(store)
    const message = sampleMessage(id, 't')
    await insert(store, message)
    expect(await store.read(view => view.dueMessages('t', 99, 10))).toEqual([])
    expect(await store.read(view => view.dueMessages('u', 100, 10))).toEqual([])
    expect(await store.read(view => view.dueMessages('t', 100, 10))).toEqual([message])
    const leases = await Promise.all(stores.map(one => one.change(tx => tx.leaseMessage(message.id, 100, 200))))
    const leased = { ...message, tries: 1, due: 200 }
    expect(leases.filter(Boolean)).toEqual([leased])
    expect(await store.read(view => view.dueMessages('t', 199, 10))).toEqual([])
    expect(await store.read(view => view.nextMessage('t'))).toBe(200)
    // The lease has expired and another store has the message, so the result of the first is ignored.
    expect(await store.change(tx => tx.leaseMessage(message.id, 200, 300))).toMatchObject({ tries: 2, due: 300 })
    const sent = { ...leased, state: 'sent' as const, doneAt: 250 }
    expect(await store.change(tx => tx.finishMessage(sent, 200))).toBe(false)
    expect(await store.change(tx => tx.finishMessage({ ...sent, due: 300 }, 300))).toBe(true)
    expect(await store.change(tx => tx.finishMessage({ ...sent, state: 'given_up' }, 300))).toBe(false)
    expect(await store.change(tx => tx.cancelMessages(id, 260))).toBe(0)
    expect(await store.read(view => view.message(message.id))).toMatchObject({ state: 'sent', tries: 2, doneAt: 250 })
    expect(await store.read(view => view.nextMessage('t'))).toBeNull()
  })

  it('cancels waiting messages, counts messages, and finds pending requests without one', async () => {
    const store = await openOne()
    const [announced, unannounced, old] = [
      await stored(store),
      await stored(store),
      await stored(store, { createdAt: -5 }),
    ]
    const settled = await stored(store)
    await store.change(tx => tx.settle(settled.id, sampleOutcome('yes'), 1))
    for (const target of ['t', 'u']) await insert(store, sampleMessage(announced.id, target))
    const query = { target: 't', since: 0, after: '', limit: 10 }
    expect(await store.read(view => view.unannounced(query))).toEqual([unannounced])
    expect(await store.read(view => view.unannounced({ ...query, since: -9 }))).toEqual([unannounced, old])
    expect(await store.read(view => view.unannounced({ ...query, after: unannounced.id }))).toEqual([])
    expect(await store.change(tx => tx.cancelMessages(announced.id, 500))).toBe(2)
    await insert(store, sampleMessage(unannounced.id, 't'))
    expect(await store.read(view => view.countMessages(500))).toEqual({ cancelled: 2, waiting: 1 })
    expect(await store.read(view => view.countMessages(501))).toEqual({ waiting: 1 })
  })

  it('deletes messages with their target, prunes them with their request, and includes them in a backup', async () => {
    const store = await openOne()
    const target = sampleTarget()
    const { id } = await stored(store)
    await store.change(tx => tx.insertTarget(target))
    const [kept, gone] = [sampleMessage(id, 'other'), sampleMessage(id, target.id)]
    const settled = await stored(store, { status: 'answered', settledAt: 5 })
    for (const message of [kept, gone, sampleMessage(settled.id, 'other')]) await insert(store, message)
    await prune(store, 10)
    expect(await store.read(view => view.waitingMessages(1_000))).toBe(2)
    const file = join(temporaryFolder(), 'copy.db')
    await store.backup(file)
    const copy = await openOne(file)
    expect(await copy.read(view => view.targets())).toEqual([target])
    expect(await copy.read(view => view.message(kept.id))).toEqual(kept)
    expect(await store.change(tx => tx.deleteTarget(target.id))).toBe(true)
    expect(await store.change(tx => tx.deleteTarget(target.id))).toBe(false)
    expect(await store.read(view => view.message(gone.id))).toBeNull()
    expect(await store.read(view => view.message(kept.id))).toEqual(kept)
  })

  it('binds the store to its key', async () => {
    const store = await openOne()
    const target = sampleTarget()
    await store.change(async tx => {
      await tx.setFingerprint('f')
      await tx.insertTarget(target)
    })
    expect(await store.read(view => view.fingerprint())).toBe('f')
    await store.change(tx => tx.deleteTarget(target.id))
    expect(await store.read(view => view.fingerprint())).toBeNull()
    await store.change(tx => tx.insertPushKeys({ public: 'p', bytes: Buffer.of(7), fingerprint: 'f' }))
    expect(await store.read(view => view.fingerprint())).toBe('f')
  })
})
