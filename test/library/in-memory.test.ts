import { readdirSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { openHub } from '../../src/index.ts'
import { temporaryFolder } from '../setup/databases.ts'

const here = process.cwd()

afterEach(() => process.chdir(here))

it('opens a hub in memory that leaves no file, not even for a sealed value', async () => {
  const folder = temporaryFolder()
  process.chdir(folder)
  const env = { BECKON_HOME: `${folder}/home` }
  const hub = await openHub({ database: ':memory:', env, channel: 'test' })
  const other = await openHub({ database: ':memory:', env, channel: 'test' })
  const { id } = await hub.raise({ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'To call it' })
  await hub.answer(id, { value: 'sk-live-0123456789abcdef' })
  expect((await hub.use(id)).value).toBe('sk-live-0123456789abcdef')
  expect((await other.list({ status: 'all' })).requests).toEqual([])
  await Promise.all([hub.close(), other.close()])
  await expect(hub.get(id)).rejects.toMatchObject({ code: 'closed' })
  expect(readdirSync(folder)).toEqual([])
})

it.each([':memory:', 'file::memory:'])(
  'refuses BECKON_DB=%s in words, because every command would have its own',
  async BECKON_DB => {
    const refused = openHub({ env: { BECKON_DB } })
    await expect(refused).rejects.toThrow(`BECKON_DB=${BECKON_DB} would be gone when the command ends. Name a file`)
  },
)

it.each(['', ' :memory:', ':MEMORY:', 'file::memory:', ':memory:?cache=shared', 'file:x?mode=memory', 5])(
  'refuses %j in words, and makes no file of that name',
  async database => {
    const folder = temporaryFolder()
    process.chdir(folder)
    for (const where of [database, { database }])
      await expect(openHub(where as never)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/ is not a database\. Use a file, postgres:\/\/… or ":memory:"\.$/),
      })
    expect(readdirSync(folder)).toEqual([])
  },
)
