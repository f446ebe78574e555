import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
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
      warning: expect.stringMatching(
        /^No beckon serve has used this database yet: unless you start it with --public-url/,
      ),
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
      { url: null },
      { channel: 'C1' },
      { kind: 'desktop' },
      { kind: 'slack', channel: 'C1' },
      { kind: 'slack', channel: 'C1', secret: 'xoxb 1\n' },
      { kind: 'telegram', channel: '1' },
      { kind: 'telegram', secret: '1:abc', appToken: 'xapp-1-abc' },
      { kind: 'slack', secret: 'xoxb-1', appToken: 'xoxb-1' },
      { kind: 'slack', signingSecret: 'ab'.repeat(16) },
      { kind: 'slack', secret: 'xoxb-1', signingSecret: 'short' },
      { kind: 'telegram', secret: '1:abc/../x', channel: '1' },
      { after: 'soon' },
      { projects: [] },
      { timeZone: 'Mars/Olympus' },
      { quiet: { from: '7:00', to: '22:00' } },
      { quiet: { from: '22:00', to: '24:00' } },
      { quiet: { from: '22:00', to: '22:00' } },
    ]
    for (const input of wrong)
      await expect(add(input), JSON.stringify(input)).rejects.toMatchObject({ code: 'invalid' })
    expect(await hub.targets.list()).toHaveLength(1)
  })

  it('adds bots and a desktop, and changes when a target is notified', async () => {
    const hub = await open()
    const bots = [
      { kind: 'slack' as const, channel: 'C0123', secret: 'xoxb-hidden' },
      { kind: 'telegram' as const, channel: '-100123', secret: '123:hidden' },
      { kind: 'desktop' as const },
    ]
    for (const bot of bots) await hub.targets.add(bot)
    const listed = await hub.targets.list()
    expect(listed.map(({ kind, address }) => [kind, address])).toEqual([
      ['desktop', hostname()],
      ['slack', 'C0123 at https://slack.com'],
      ['telegram', '-100123 at https://api.telegram.org'],
    ])
    const quiet = { from: '22:00', to: '07:00', exceptUrgent: true }
    const wants = { kinds: ['review' as const], after: 600_000, projects: ['shop'], quiet, timeZone: 'Asia/Seoul' }
    expect(await hub.targets.change('slack', { ...wants, after: '10m' })).toEqual({ ...listed[1], ...wants })
    const urgent = { urgentOnly: true, after: null, projects: null, kinds: null }
    const { after: _, projects: __, ...rest } = wants
    expect(await hub.targets.change('slack', urgent)).toEqual({ ...listed[1], ...rest, kinds: null, urgentOnly: true })
    expect((await hub.targets.list())[1]).toMatchObject({ urgentOnly: true, quiet })
    await expect(hub.targets.change('none', {})).rejects.toMatchObject({ code: 'not_found' })
    await expect(hub.targets.change('slack', { after: -1 })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('tests a target at once and reports the result without its address', async () => {
    const hub = await open()
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/hook`, name: 'a b/c' })
    await hub.raise(shipIt)
    receiver.reply = response => response.writeHead(200).end('thanks\u202e')
    const tested = await hub.targets.test('a b/c')
    expect(tested).toEqual({
      delivered: true,
      finding: 'HTTP 200',
      sent: expect.stringMatching(/^This is a test message from Beckon\.\nOn: .+\nhttp:\S+ \(opens on .+ only\)$/),
      reply: 'thanks\\u202e',
      warning: expect.stringMatching(/^beckon serve has no public address, only http:/),
    })
    expect(receiver.received[0]?.json).toMatchObject({ event: 'test', request: null, url: expect.any(String) })
    receiver.reply = response => response.writeHead(302, { location: '/elsewhere' }).end()
    const redirected = { delivered: false, finding: 'HTTP 302: redirects are not followed' }
    expect(await hub.targets.test('a b/c')).toMatchObject(redirected)
    await receiver.close()
    const failed = { delivered: false, finding: expect.stringMatching(/^cannot be reached \(\w+\)$/) }
    expect(await hub.targets.test('a b/c')).toMatchObject(failed)
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
