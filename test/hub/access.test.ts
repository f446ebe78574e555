import { createHash, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createAccess } from '../../src/hub/access/access.ts'
import { createTokens } from '../../src/hub/access/tokens.ts'
import { openStore } from '../../src/store/open.ts'
import type { TokenRecord } from '../../src/store/records.ts'
import type { Store, View } from '../../src/store/store.ts'
import { temporaryFolder } from '../setup/databases.ts'

// A spy that keeps the behaviour: the tests check that only this function compares.
vi.mock('node:crypto', async original => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})

const caller = { user: 'me', host: 'here', directory: '/', agent: 'a', channel: 'cli', token: null, boundTo: null }
const open: Store[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(store => store.close()))
  vi.mocked(timingSafeEqual).mockClear()
})

/** A real store that records the hashes it is asked for, and can change the record that it finds. */
async function watchedStore(change: (record: TokenRecord) => TokenRecord = record => record) {
  const store = await openStore({ database: join(temporaryFolder(), 'beckon.db') })
  open.push(store)
  const lookups: string[] = []
  const watched: Store = {
    ...store,
    change: (work, lock) => store.change(work, lock),
    read: work =>
      store.read(view => {
        const tokenByHash: View['tokenByHash'] = async hash => {
          lookups.push(hash)
          const record = await view.tokenByHash(hash)
          return record && change(record)
        }
        return work(new Proxy(view, { get: (_, name) => (name === 'tokenByHash' ? tokenByHash : bound(view, name)) }))
      }),
  }
  return { access: createAccess(watched), tokens: createTokens(watched, caller), lookups }
}

function bound(view: View, name: string | symbol): unknown {
  const value = Reflect.get(view, name)
  return typeof value === 'function' ? value.bind(view) : value
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

it('identify looks a secret up by its hash, so the secret itself is never compared', async () => {
  const { access, tokens, lookups } = await watchedStore()
  const { secret } = await tokens.create({ scope: 'answer' })
  expect(await access.identify(secret)).toMatchObject({ scope: 'answer' })
  expect(await access.identify(`${secret}x`)).toBeNull()
  expect(lookups).toEqual([sha256(secret), sha256(`${secret}x`)])
})

it('identify compares the found hash again in constant time', async () => {
  const { access, tokens } = await watchedStore()
  const { secret } = await tokens.create({ scope: 'answer' })
  await access.identify(secret)
  expect(timingSafeEqual).toHaveBeenCalledTimes(1)
  const [one, other] = vi.mocked(timingSafeEqual).mock.calls[0] as unknown as [Buffer, Buffer]
  expect([one.toString('hex'), other.toString('hex')]).toEqual([sha256(secret), sha256(secret)])
})

it('identify refuses a record with a different hash that the database returned', async () => {
  const { access, tokens } = await watchedStore(record => ({
    ...record,
    hash: record.hash.replace(/.$/, c => (c === '0' ? '1' : '0')),
  }))
  const { secret } = await tokens.create({ scope: 'admin' })
  expect(await access.identify(secret)).toBeNull()
})
