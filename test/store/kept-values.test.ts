import { afterEach, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import type { KeptRecord } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'
import { databases } from '../setup/databases.ts'
import { prune, sampleToken, stored } from './samples.ts'

let count = 0

function sampleKept(differs: Partial<KeptRecord> = {}): KeptRecord {
  count += 1
  return {
    id: `kept_${count}`,
    name: `KEY ${count}`,
    type: 'api_key',
    dependency: 'KEY',
    directory: '/work',
    host: 'here',
    user: 'me',
    token: null,
    by: 'person',
    keptAt: count,
    lastUsedAt: null,
    bytes: Buffer.of(0, 1, 255),
    fingerprint: 'f',
    ...differs,
  }
}

const ask = { user: 'me', token: null, type: 'api_key', dependency: 'KEY', directory: '/work', host: 'here' }

describe.each(databases)('a kept value in a store on $name', ({ fresh }) => {
  const open: Store[] = []

  afterEach(async () => {
    await Promise.all(open.splice(0).map(store => store.close()))
  })

  async function openOne(database: string): Promise<Store> {
    const store = await openStore({ database })
    open.push(store)
    return store
  }

  async function keep(store: Store, ...all: KeptRecord[]) {
    await store.change(async tx => {
      for (const kept of all) await tx.insertKept(kept)
    })
  }

  it('is returned unchanged, by name and in a list', async () => {
    const database = await fresh()
    const [one, other] = [await openOne(database), await openOne(database)]
    const [b, a] = [sampleKept({ name: 'b 배포 "x"' }), sampleKept({ name: 'a', directory: null, host: null })]
    await keep(one, b, a)
    expect(await other.read(view => view.kept())).toEqual([a, b])
    expect(await other.read(view => view.keptByName('b 배포 "x"'))).toEqual(b)
    expect(await other.read(view => view.keptByName('c'))).toBeNull()
    await expect(keep(one, sampleKept({ name: 'a' }))).rejects.toThrow()
  })

  it('is found for the same ask, preferably for its own directory', async () => {
    const store = await openOne(await fresh())
    const everywhere = sampleKept({ directory: null, host: null, keptAt: 9_000 })
    await keep(store, everywhere)
    expect(await store.read(view => view.keptFor(ask))).toEqual(everywhere)
    const here = sampleKept()
    await keep(store, here, sampleKept({ directory: '/elsewhere' }), sampleKept({ host: 'there' }))
    expect(await store.read(view => view.keptFor(ask))).toEqual(here)
    for (const other of [{ user: 'you' }, { type: 'service' }, { dependency: 'key' }]) {
      expect(await store.read(view => view.keptFor({ ...ask, ...other }))).toBeNull()
    }
    expect(await store.read(view => view.keptFor({ ...ask, directory: '/work/sub' }))).toEqual(everywhere)
  })

  it('of a token is found by its id alone, and deleted when the token is', async () => {
    const store = await openOne(await fresh())
    const token = sampleToken({ revokedAt: 5 })
    const [local, theirs] = [sampleKept(), sampleKept({ token: token.id, user: 'me' })]
    await keep(store, local, theirs)
    await store.change(tx => tx.insertToken(token))
    expect(await store.read(view => view.keptFor(ask))).toEqual(local)
    expect(await store.read(view => view.keptFor({ ...ask, token: token.id, user: 'renamed' }))).toEqual(theirs)
    expect(await store.read(view => view.keptFor({ ...ask, token: 'tok_other' }))).toBeNull()
    await prune(store, 5)
    expect(await store.read(view => view.kept())).toEqual([local, theirs])
    await prune(store, 6)
    expect(await store.read(view => view.kept())).toEqual([local])
  })

  it('is deleted together with the unused values that came from it', async () => {
    const store = await openOne(await fresh())
    const kept = sampleKept()
    await keep(store, kept)
    const seal = (request: string, by: string | null) => ({
      request,
      run: null,
      bytes: Buffer.of(1),
      mac: Buffer.of(2),
      fingerprint: 'f',
      kept: by,
    })
    const { id: used } = await stored(store, { status: 'answered', usedAt: 5 })
    const { id: unused } = await stored(store, { status: 'answered' })
    await store.change(async tx => {
      for (const request of ['a', used, unused]) await tx.seal(seal(request, kept.id))
      await tx.seal(seal('b', null))
      await tx.seal(seal('c', 'kept_other'))
    })
    expect(await store.change(tx => tx.takeKept(kept.id, 77))).toBe(true)
    expect(await store.read(view => view.keptByName(kept.name))).toEqual({ ...kept, lastUsedAt: 77 })
    await store.change(async tx => {
      expect(await tx.deleteKept(kept.id)).toBe(true)
      await tx.unsealKept(kept.id)
    })
    expect(await store.change(tx => tx.takeKept(kept.id, 78))).toBe(false)
    expect(await store.change(tx => tx.deleteKept(kept.id))).toBe(false)
    expect(await store.read(view => Promise.all(['a', unused, used, 'b', 'c'].map(id => view.sealed(id))))).toEqual([
      null,
      null,
      seal(used, kept.id),
      seal('b', null),
      seal('c', 'kept_other'),
    ])
  })

  it('binds the store to its key, survives a prune, and is part of a backup', async () => {
    const store = await openOne(await fresh())
    const kept = sampleKept()
    await keep(store, kept)
    await store.change(tx => tx.setFingerprint('f'))
    await prune(store, Date.now() + 1_000_000)
    expect(await store.read(view => view.fingerprint())).toBe('f')
    const file = await (databases[0] as (typeof databases)[0]).fresh()
    await store.backup(file)
    expect(await (await openOne(file)).read(view => view.kept())).toEqual([kept])
    await store.change(tx => tx.deleteKept(kept.id))
    expect(await store.read(view => view.fingerprint())).toBeNull()
  })
})
