import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HubApi } from '../../src/protocol/index.ts'
import { startServer } from '../server/test-server.ts'
import { databases } from '../setup/databases.ts'
import { startReceiver } from './receiver.ts'
import { openTestHub, shipIt } from './test-hub.ts'

const ways = databases.flatMap(({ name, fresh }) => [
  { way: `in process on ${name}`, open: async (): Promise<HubApi> => (await openTestHub(await fresh())).hub },
  {
    way: `over HTTP on ${name}`,
    open: async () => (await startServer(await fresh())).client('admin', { name: 'person' }),
  },
])

describe.each(ways)('targets, $way', ({ open }) => {
  it('adds targets, lists them without their secrets, and removes them', async () => {
    const hub = await open()
    const hook = await hub.targets.add({ kind: 'webhook', url: 'https://example.com/hook?key=hidden' })
    expect(hook).toEqual({
      target: {
        name: 'webhook',
        kind: 'webhook',
        address: 'https://example.com/hook?…',
        kinds: null,
        minSeverity: null,
        by: 'person',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      secret: expect.stringMatching(/^beckon_hook_[\w-]{32}$/),
    })
    const own = await hub.targets.add({ kind: 'webhook', url: 'https://example.com/2', secret: 'hidden secret' })
    expect([own.target.name, own.secret]).toEqual(['webhook-2', null])
    const chat = { kind: 'slack' as const, url: 'https://hooks.example/services/hidden', name: 'the team' }
    const wants = { kinds: ['approval' as const], minSeverity: 'high' as const }
    expect((await hub.targets.add({ ...chat, ...wants })).target).toMatchObject({ name: 'the team', ...wants })
    await hub.targets.add({ kind: 'ntfy', url: 'https://ntfy.example/hidden-topic' })
    const listed = await hub.targets.list()
    expect(listed.map(({ name, address }) => [name, address])).toEqual([
      ['ntfy', 'https://ntfy.example/…'],
      ['the team', 'https://hooks.example/…'],
      ['webhook', 'https://example.com/hook?…'],
      ['webhook-2', 'https://example.com/2'],
    ])
    expect(JSON.stringify(listed)).not.toContain('hidden')
    expect(await hub.targets.remove('the team')).toEqual(listed[1])
    await expect(hub.targets.remove('the team')).rejects.toMatchObject({ code: 'not_found' })
    expect(await hub.targets.list()).toHaveLength(3)
  })

  it('refuses invalid targets and names that are in use', async () => {
    const hub = await open()
    const add = (input: object) => hub.targets.add({ kind: 'webhook', url: 'https://example.com', ...input } as never)
    await add({ name: 'mine' })
    const wrong = [
      { name: 'mine' },
      { url: 'example.com' },
      { url: 'file:///etc/passwd' },
      { url: 'https://me:pw@example.com' },
      { kind: 'push' },
      { kind: 'ntfy', url: 'https://ntfy.sh/' },
      { kinds: ['nonsense'] },
      { kinds: [] },
      { minSeverity: 'huge' },
    ]
    for (const input of wrong)
      await expect(add(input), JSON.stringify(input)).rejects.toMatchObject({ code: 'invalid' })
    expect(await hub.targets.list()).toHaveLength(1)
  })

  it('tests a target at once and reports the result without its address', async () => {
    const hub = await open()
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/hook`, name: 'a b/c' })
    await hub.raise(shipIt)
    expect(await hub.targets.test('a b/c')).toEqual({ delivered: true, finding: 'HTTP 200' })
    expect(receiver.received[0]?.json).toMatchObject({ event: 'test', request: null, url: expect.any(String) })
    receiver.reply = response => response.writeHead(302, { location: '/elsewhere' }).end()
    const redirected = { delivered: false, finding: 'HTTP 302: redirects are not followed' }
    expect(await hub.targets.test('a b/c')).toEqual(redirected)
    await receiver.close()
    const failed = { delivered: false, finding: expect.stringMatching(/^cannot be reached \(\w+\)$/) }
    expect(await hub.targets.test('a b/c')).toEqual(failed)
    await expect(hub.targets.test('none')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe.each(databases)('a stored target on $name', ({ name, fresh }) => {
  it('seals a target with the key of the hub', async () => {
    const { openLocalHub } = await import('../../src/open-hub.ts')
    const database = await fresh()
    const { hub } = await openTestHub(database)
    await hub.targets.add({ kind: 'slack', url: 'https://hooks.example/x' })
    const env = { BECKON_KEY: Buffer.alloc(32, 9).toString('base64') }
    const other = await openLocalHub({ database, env, sweeps: false })
    const wrongKey = { code: 'wrong_key' }
    await expect(other.targets.test('slack')).rejects.toMatchObject(wrongKey)
    await expect(other.targets.add({ kind: 'slack', url: 'https://hooks.example/y' })).rejects.toMatchObject(wrongKey)
    await expect(other.push.key()).rejects.toMatchObject(wrongKey)
    expect(await other.targets.list()).toHaveLength(1)
    await other.close()
  })

  // The files of a PostgreSQL server are not ours to read.
  if (name === 'SQLite')
    it('shows neither address nor secret to a reader of the database file', async () => {
      const database = await fresh()
      const { hub } = await openTestHub(database)
      await hub.targets.add({ kind: 'slack', url: 'https://hooks.example/canary-address', name: 'seen' })
      await hub.targets.add({ kind: 'webhook', url: 'https://hooks.example/?canary-query', secret: 'canary-secret' })
      const bytes = ['', '-wal'].map(end => readFileSync(`${database}${end}`, 'latin1')).join('')
      expect(bytes).toContain('seen')
      expect(bytes).not.toContain('canary')
    })
})
