import { createHash, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createAccess } from '../../src/hub/access/access.ts'
import { createTokens } from '../../src/hub/access/tokens.ts'
import { openStore } from '../../src/store/open.ts'
import type { TokenRecord } from '../../src/store/records.ts'
import type { Store, View } from '../../src/store/store.ts'
import { temporaryFolder } from '../setup/databases.ts'

// Watched, and as it is: what matters is that nothing else compares.
vi.mock('node:crypto', async original => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})

const open: Store[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(store => store.close()))
  vi.mocked(timingSafeEqual).mockClear()
})

/** A real store, with whatever is asked of it by hash noted, and what it finds changed on the way. */
async function watchedStore(change: (record: TokenRecord) => TokenRecord = record => record) {
  const store = await openStore({ database: join(temporaryFolder(), 'beckon.db') })
  open.push(store)
  const asked: string[] = []
  const watched: Store = {
    ...store,
    change: (work, lock) => store.change(work, lock),
    read: work =>
      store.read(view => {
        const tokenByHash: View['tokenByHash'] = async hash => {
          asked.push(hash)
          const record = await view.tokenByHash(hash)
          return record && change(record)
        }
        return work(new Proxy(view, { get: (_, name) => (name === 'tokenByHash' ? tokenByHash : bound(view, name)) }))
      }),
  }
  return { access: createAccess(watched), tokens: createTokens(watched), asked }
}

function bound(view: View, name: string | symbol): unknown {
  const value = Reflect.get(view, name)
  return typeof value === 'function' ? value.bind(view) : value
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

it('looks a secret up by its hash, so that no comparison ever goes along the secret itself', async () => {
  const { access, tokens, asked } = await watchedStore()
  const { secret } = await tokens.create({ scope: 'answer' })
  expect(await access.identify(secret)).toMatchObject({ scope: 'answer' })
  expect(await access.identify(`${secret}x`)).toBeNull()
  expect(asked).toEqual([sha256(secret), sha256(`${secret}x`)])
})

it('compares what was found once more, all of it, in the same time wherever it differs', async () => {
  const { access, tokens } = await watchedStore()
  const { secret } = await tokens.create({ scope: 'answer' })
  await access.identify(secret)
  expect(timingSafeEqual).toHaveBeenCalledTimes(1)
  const [one, other] = vi.mocked(timingSafeEqual).mock.calls[0] as unknown as [Buffer, Buffer]
  expect([one.toString('hex'), other.toString('hex')]).toEqual([sha256(secret), sha256(secret)])
})

it('lets nobody in by what a database only took for the same', async () => {
  const { access, tokens } = await watchedStore(record => ({
    ...record,
    hash: record.hash.replace(/.$/, c => (c === '0' ? '1' : '0')),
  }))
  const { secret } = await tokens.create({ scope: 'admin' })
  expect(await access.identify(secret)).toBeNull()
})
