import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases, testKey } from '../setup/databases.ts'
import { startProcess } from '../setup/start-process.ts'
import { startSlack, startTelegram } from './chat-services.ts'
import { startReceiver } from './receiver.ts'
import { inbox, openTestHub, shipIt, type TestHub, until } from './test-hub.ts'

const titles = (texts: Iterable<string>) => [...texts].map(text => text.split('\n')[0])

async function openBot(fresh: () => Promise<string>, kind: 'slack' | 'telegram') {
  const test = await openTestHub(await fresh())
  const service = await (kind === 'slack' ? startSlack('xoxb-1') : startTelegram('1:abc'))
  const place = kind === 'slack' ? { channel: 'C0123', secret: 'xoxb-1' } : { channel: '-100123', secret: '1:abc' }
  await test.hub.targets.add({ kind, url: `${service.url}${kind === 'slack' ? '/api' : ''}`, ...place })
  return { ...test, service }
}

describe.each(databases)('a message whose request is settled, on $name', ({ fresh }) => {
  it.each(['slack', 'telegram'] as const)('is edited in %s and says who answered', async kind => {
    const { hub, send, service } = await openBot(fresh, kind)
    const sender = send()
    const { id } = await hub.raise(shipIt)
    await until(() => sender.counts.sent === 1, 'it was sent')
    await hub.answer(id, { value: 'yes' })
    await until(() => sender.counts.sent === 2, 'it was edited')
    const mark = kind === 'slack' ? '`' : ''
    const heading = kind === 'slack' ? '*question*:' : 'question:'
    expect(titles(service.shown.values())).toEqual([`${heading} ${mark}Answered by person: Ship it?${mark}`])
    expect([...service.shown.values()][0]).toContain(`${inbox}/requests/${id}`)
    expect([...service.shown.values()].join()).not.toContain('yes')
  })

  it.each(['slack', 'telegram'] as const)(
    'is edited in %s in spite of rate limits, unless it was deleted',
    async kind => {
      const { hub, pass, send, service, logged } = await openBot(fresh, kind)
      const sender = send({ random: () => 0.5 })
      const [first, second] = [await hub.raise(shipIt), await hub.raise({ ...shipIt, key: 'other' })]
      await until(() => sender.counts.sent === 2, 'both were sent')
      service.failures.push(response =>
        kind === 'slack'
          ? response.writeHead(429, { 'retry-after': '30' }).end()
          : response.writeHead(429, { 'content-type': 'application/json' }).end(
              JSON.stringify({
                ok: false,
                error_code: 429,
                description: 'Too Many',
                parameters: { retry_after: 30 },
              }),
            ),
      )
      await hub.decline(first.id)
      await until(() => sender.counts.failed === 1, 'it was refused')
      const [target] = await hub.outbox.targets()
      expect(await hub.outbox.untilNext([target?.id ?? ''])).toBeGreaterThan(25_000)
      pass(30_000)
      sender.checkNow()
      await until(() => sender.counts.sent === 3, 'it was edited')
      expect(titles(service.shown.values())[0]).toContain('Declined by person: Ship it?')
      service.shown.clear()
      await hub.decline(second.id)
      await until(() => sender.counts.sent === 4, 'nothing is left to edit')
      expect(service.shown.size).toBe(0)
      expect(logged).toHaveLength(1)
    },
  )

  it('is replaced in ntfy and followed up elsewhere, also after a reminder', async () => {
    const { hub, pass, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'ntfy', url: `${receiver.url}/ntfy/topic` })
    await hub.targets.add({ kind: 'slack', url: `${receiver.url}/slack` })
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/hook` })
    const sender = send()
    const { id } = await hub.raise({ ...shipIt, timeout: 60_000, onTimeout: 'remind' })
    await until(() => sender.counts.sent === 3, 'they were sent')
    pass(60_000)
    await hub.sweep()
    await until(() => sender.counts.sent === 6, 'they were reminded')
    await hub.answer(id, { value: 'yes' })
    await until(() => sender.counts.sent === 9, 'they know')
    const got = (path: string) => receiver.received.filter(one => one.path === path).map(({ json }) => json)
    expect(got('/ntfy/').map(({ sequence_id, priority }) => [sequence_id, priority])).toEqual([
      [id, 5],
      [id, 5],
      [id, 1],
    ])
    // Nothing ends at such a deadline.
    const [asked, reminded] = got('/ntfy/').map(({ message }) => message)
    expect(asked).toMatch(/ · Reminder: \d+ \w+, [\d:]+ \S+$/)
    expect(reminded).toMatch(/^Still waiting: Ship it\?\n.* · Reminder: \d+ \w+, [\d:]+ \S+$/)
    expect(`${asked} ${reminded}`).not.toContain('Until')
    expect(got('/ntfy/')[2]).toMatchObject({ message: 'Answered by person: Ship it?', tags: ['white_check_mark'] })
    expect(titles(got('/slack').map(({ text }) => text)).at(-1)).toBe('*question*: `Answered by person: Ship it?`')
    expect(got('/hook').map(({ event }) => event)).toEqual(['request.created', 'request.reminded', 'request.settled'])
    expect(got('/hook')[2].request).toMatchObject({
      id,
      status: 'answered',
      by: 'person',
      settlement: 'Answered by person',
    })
    expect(JSON.stringify(got('/hook')[2])).not.toContain('yes')
  })

  it('is edited by one of several senders, also if it was being sent at that moment', async () => {
    const { hub, send, service } = await openBot(fresh, 'slack')
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const fetchLater = async (url: string, init: RequestInit) => {
      reached.resolve()
      await held.promise
      return fetch(url, init)
    }
    const senders = [send({ fetch: fetchLater }), send({ fetch: fetchLater })]
    const { id } = await hub.raise(shipIt)
    await reached.promise
    await hub.answer(id, { value: 'yes' })
    // The cursor passes the answer while the message is on its way.
    await hub.outbox.write()
    held.resolve()
    const sent = () => senders.reduce((sum, { counts }) => sum + counts.sent, 0)
    await until(() => sent() === 2, 'it was sent and edited')
    expect(titles(service.shown.values())).toEqual(['*question*: `Answered by person: Ship it?`'])
    expect(service.received.map(({ path }) => path)).toEqual(['/api/chat.postMessage', '/api/chat.update'])
    expect(await hub.outbox.counts()).toMatchObject({ waiting: 0, sent: 2 })
  })

  it('says nothing where it never arrived', async () => {
    const { hub, pass, send } = await openTestHub(await fresh())
    const receiver = await startReceiver(500)
    await hub.targets.add({ kind: 'webhook', url: receiver.url })
    const sender = send()
    const { id } = await hub.raise(shipIt)
    await until(() => sender.counts.failed === 1, 'it failed')
    await hub.answer(id, { value: 'yes' })
    await until(async () => (await hub.outbox.counts()).cancelled === 1, 'it was cancelled')
    pass(3_600_000)
    await hub.outbox.write()
    expect(await hub.outbox.counts()).toEqual({ waiting: 0, sent: 0, given_up: 0, cancelled: 1 })
    expect(receiver.received).toHaveLength(1)
  })

  it('is followed up when its sender was killed before it recorded the handle', async () => {
    const database = await fresh()
    const { hub, pass, send } = await openTestHub(database)
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'ntfy', url: `${receiver.url}/topic` })
    const { id } = await hub.raise(shipIt)
    const env = { ...process.env, BECKON_KEY: testKey }
    const child = startProcess(join(import.meta.dirname, 'processes/dying-sender.ts'), [database], env)
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    await hub.answer(id, { value: 'yes' })
    const sender = send()
    await until(async () => (await hub.outbox.write()) === 0 && (await settledWaits(hub)), 'it knows of the answer')
    pass(60_000)
    sender.checkNow()
    await until(() => sender.counts.sent === 1, 'it was followed up')
    expect(receiver.received.map(({ json }) => json.sequence_id)).toEqual([id, id])
    expect(receiver.received[1]?.json.message).toBe('Answered by person: Ship it?')
    expect(await hub.outbox.counts()).toMatchObject({ waiting: 0, sent: 1 })
  })
})

async function settledWaits(hub: TestHub['hub']): Promise<boolean> {
  const [target] = await hub.outbox.targets()
  return ((await hub.outbox.untilNext([target?.id ?? ''])) ?? 0) > 0
}

it.each([
  ['expired', { timeout: 1_000, onTimeout: 'fail' as const }, 'Time is up, nobody answered: Ship it?'],
  ['withdrawn', {}, 'Withdrawn: Ship it?'],
])('says that a request %s', async (how, ask, said) => {
  const { hub, pass, send } = await openTestHub(await (databases[0] as (typeof databases)[number]).fresh())
  const receiver = await startReceiver()
  await hub.targets.add({ kind: 'ntfy', url: `${receiver.url}/topic` })
  const sender = send()
  const { id } = await hub.raise({ ...shipIt, ...ask })
  await until(() => sender.counts.sent === 1, 'it was sent')
  if (how === 'withdrawn') await hub.cancel(id)
  pass(2_000)
  await hub.sweep()
  await until(() => sender.counts.sent === 2, 'it was followed up')
  expect(receiver.received[1]?.json.message).toBe(said)
})
