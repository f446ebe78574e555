import { afterEach, describe, expect, it } from 'vitest'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { databases, testKey } from '../setup/databases.ts'

// Without a run the caller names the directory, which is sufficient for a user of the same machine.

const apiKey = {
  kind: 'dependency',
  type: 'api_key',
  name: 'API_KEY',
  description: 'To call it',
} as const
const value = 'sk-0123456789'

describe.each(databases)('a kept value outside runs on $name', ({ fresh }) => {
  const hubs: Hub[] = []

  afterEach(async () => {
    await Promise.all(hubs.splice(0).map(hub => hub.close()))
  })

  async function start() {
    const database = await fresh()
    return async (caller: { user?: string; directory?: string; host?: string; token?: string } = {}) => {
      const hub = await openLocalHub({
        database,
        env: { BECKON_KEY: testKey },
        caller: { user: 'me', directory: '/work', ...caller },
        sweeps: false,
      })
      hubs.push(hub)
      return hub
    }
  }

  async function keep(open: Awaited<ReturnType<typeof start>>, keep: boolean | { everywhere: boolean } = true) {
    const hub = await open()
    const { id } = await hub.raise(apiKey)
    expect(await hub.answer(id, { value, keep, by: 'person' })).toMatchObject({ won: true, kept: 'API_KEY' })
    expect((await hub.use(id)).value).toBe(value)
    return hub
  }

  it('answers the same ask in the same directory, in the name of the person who kept it', async () => {
    const hub = await keep(await start())
    const request = await hub.raise(apiKey)
    expect(request).toMatchObject({
      status: 'answered',
      outcome: { by: 'person', channel: 'rule', status: 'answered' },
    })
    const events = (await hub.events()).filter(event => event.request === request.id)
    expect(events).toMatchObject([
      { type: 'request.created' },
      { type: 'request.answered', data: { by: 'person', channel: 'rule', kept: 'API_KEY' } },
    ])
    expect((await hub.use(request.id)).value).toBe(value)
    expect((await hub.kept.list())[0]?.lastUsedAt).toBe(request.settledAt)
  })

  it('answers no other user, directory, machine, name or type', async () => {
    const open = await start()
    const hub = await keep(open)
    for (const caller of [{ user: 'you' }, { directory: '/work/sub' }, { host: 'there' }, { token: 'tok_1' }]) {
      expect((await (await open(caller)).raise(apiKey)).status).toBe('pending')
    }
    expect((await hub.raise({ ...apiKey, name: 'API_KEY_2' })).status).toBe('pending')
    expect((await hub.raise({ ...apiKey, type: 'env_variable' as const })).status).toBe('pending')
  })

  it('answers in every directory if it is kept everywhere, but no other user or token', async () => {
    const open = await start()
    await keep(open, { everywhere: true })
    expect((await (await open({ directory: '/other', host: 'there' })).raise(apiKey)).status).toBe('answered')
    expect((await (await open({ user: 'you' })).raise(apiKey)).status).toBe('pending')
    expect((await (await open({ token: 'tok_1' })).raise(apiKey)).status).toBe('pending')
  })

  it('cannot be kept for a caller with a token, whose directory is not verified', async () => {
    const open = await start()
    const guest = await open({ token: 'tok_1' })
    const { id } = await guest.raise(apiKey)
    await expect((await open()).answer(id, { value, keep: true })).rejects.toMatchObject({ code: 'invalid' })
    expect((await guest.get(id)).status).toBe('pending')
  })

  it('gets a unique name when several are kept at the same time', async () => {
    const open = await start()
    const kept = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const hub = await open({ directory: `/work-${i}` })
        const { id } = await hub.raise(apiKey)
        return (await hub.answer(id, { value, keep: true })).kept
      }),
    )
    expect(kept.toSorted()).toEqual(['API_KEY', 'API_KEY-2', 'API_KEY-3', 'API_KEY-4', 'API_KEY-5', 'API_KEY-6'])
  })

  it('gives nothing after it was deleted, even to concurrent asks', async () => {
    const open = await start()
    const hub = await keep(open)
    const others = await Promise.all(Array.from({ length: 4 }, () => open()))
    const asking = (turn: number) => others.map((other, i) => other.raise({ ...apiKey, key: `${turn}-${i}` }))
    const before = await Promise.all(asking(1))
    expect(before.map(({ status }) => status)).toEqual(others.map(() => 'answered'))
    const during = [...asking(2), ...asking(3)]
    await hub.kept.forget('API_KEY')
    const requests = [...before, ...(await Promise.all(during)), ...(await Promise.all(asking(4)))]
    for (const { id, status } of requests) {
      const code = status === 'answered' ? 'used' : 'not_settled'
      await expect(hub.use(id)).rejects.toMatchObject({ code })
    }
  })
})
