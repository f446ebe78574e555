import { createHmac } from 'node:crypto'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { databases } from '../setup/databases.ts'
import { startReceiver } from './receiver.ts'
import { inbox, openTestHub, shipIt, until } from './test-hub.ts'

const approval = (severity: 'low' | 'high', command = 'git push') => ({
  kind: 'approval' as const,
  action: { command, cwd: '/work', digest: `d ${severity} ${command}`, severity },
})

describe.each(databases)('the sender on $name', ({ fresh }) => {
  it('sends a webhook what is waiting, signed, with a link and without the context', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    const { secret } = await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/hook?x=1` })
    const sender = send()
    const run = await hub.runs.start({ command: ['agent'], cwd: '/work' })
    const request = await hub.raise({ ...shipIt, run: run.id, timeout: 3_600_000 })
    const [got] = await receiver.came(1)
    expect(got?.json).toEqual({
      event: 'request.created',
      id: expect.stringMatching(/^msg_\w+$/),
      at: request.createdAt,
      request: {
        id: request.id,
        kind: 'question',
        title: 'Ship it?',
        run: run.id,
        deadline: request.deadline,
        severity: null,
        status: 'pending',
        agent: 'script',
        user: 'person',
        host: hostname(),
        directory: '/work',
      },
      url: `${inbox}/requests/${request.id}`,
    })
    expect(got?.path).toBe('/hook?x=1')
    expect(got?.headers).toMatchObject({
      'x-beckon-delivery': got?.json.id,
      'idempotency-key': got?.json.id,
      'x-beckon-event': 'request.created',
    })
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(got?.headers['x-beckon-signature'])) ?? []
    const expected = createHmac('sha256', String(secret)).update(`${time}.${got?.body}`).digest('hex')
    expect(signature).toBe(expected)
    expect(got?.body.toString()).not.toContain('plan')
    await until(() => sender.counts.sent === 1, 'it was written down')
    expect(await hub.outbox.counts()).toEqual({ waiting: 0, sent: 1, given_up: 0, cancelled: 0 })
  })

  it('sends why a run failed, unless the run started again or the target is for requests only', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'webhook', url: receiver.url })
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/approvals`, name: 'approvals', kinds: ['approval'] })
    const start = { name: 'deploy\u202e', command: ['agent'], cwd: '/work' }
    const again = await hub.runs.start(start)
    await hub.runs.change(again.id, { status: 'failed', reason: 'It is back already' })
    await hub.runs.start({ ...start, again: again.id })
    const run = await hub.runs.start(start)
    const key = 'sk-canary-0123456789abcdef'
    const reason = `Required dependency rejected: STRIPE_KEY — no <b>budget</b> ${key}`
    await hub.runs.change(run.id, { status: 'failed', reason, exitCode: 143 })
    const sender = send()
    const got = await receiver.came(1)
    const shown = 'Required dependency rejected: STRIPE_KEY — no <b>budget</b> […]'
    expect(got[0]?.path).toBe('/')
    expect(got[0]?.json).toEqual({
      event: 'run.failed',
      id: expect.stringMatching(/^msg_\w+$/),
      at: (await hub.runs.get(run.id)).endedAt,
      request: null,
      run: {
        id: run.id,
        name: 'deploy\\u202e',
        title: `deploy\\u202e failed: ${shown}`,
        reason: shown,
        exitCode: 143,
      },
      url: `${inbox}/runs/${run.id}`,
    })
    await until(() => sender.counts.sent === 1, 'it was written down')
    expect(await hub.outbox.counts()).toMatchObject({ waiting: 0, sent: 1 })
    // Forgetting a request of the outbox keeps the messages about runs.
    await hub.runs.stop((await hub.runs.start(start)).id)
    await hub.raise(shipIt)
    expect((await receiver.came(2)).map(({ json }) => json.event)).toEqual(['run.failed', 'request.created'])
  })

  it('retries with growing delays, the same id and the same text', async () => {
    const { hub, pass, send, logged } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    receiver.reply = (response, _, count) => response.writeHead(count < 4 ? 503 : 204).end()
    await hub.targets.add({ kind: 'webhook', url: receiver.url, name: 'mine' })
    const sender = send({ random: () => 0.5 })
    await hub.raise(shipIt)
    for (const [i, delay] of [1_000, 2_000, 4_000].entries()) {
      await receiver.came(i + 1)
      await until(() => sender.counts.failed === i + 1, 'the failure was written down')
      const targets = (await hub.outbox.targets()).map(({ id }) => id)
      const left = (await hub.outbox.untilNext(targets)) as number
      expect(left).toBeLessThanOrEqual(delay)
      pass(delay)
      sender.checkNow()
    }
    const got = await receiver.came(4)
    await until(() => sender.counts.sent === 1, 'it was taken')
    expect(new Set(got.map(({ body }) => body.toString())).size).toBe(1)
    expect(logged.map(({ what }) => what)).toEqual(['a notification failed; trying again'])
    expect(logged[0]?.about).toMatchObject({ target: 'mine', finding: 'HTTP 503' })
  })

  it('gives up a message after a day and logs it', async () => {
    const { hub, pass, send, logged } = await openTestHub(await fresh())
    const receiver = await startReceiver(500)
    await hub.targets.add({ kind: 'webhook', url: receiver.url })
    const sender = send()
    await hub.raise(shipIt)
    await until(() => sender.counts.failed === 1, 'the first try')
    pass(24 * 3_600_000)
    sender.checkNow()
    await until(() => sender.counts.givenUp === 1, 'it was given up')
    expect(logged.at(-1)).toMatchObject({ what: 'gave up a notification', about: { finding: 'HTTP 500' } })
    expect(await hub.outbox.counts()).toMatchObject({ waiting: 0, given_up: 1 })
    expect(receiver.received).toHaveLength(2)
  })

  it('does not send a message for a request that is already settled', async () => {
    const { hub, pass, send } = await openTestHub(await fresh())
    const receiver = await startReceiver(500)
    await hub.targets.add({ kind: 'webhook', url: receiver.url })
    const { id } = await hub.raise(shipIt)
    const sender = send()
    await until(() => sender.counts.failed === 1, 'the first try')
    await hub.answer(id, { value: 'yes' })
    await until(async () => (await hub.outbox.counts()).cancelled === 1, 'it was cancelled')
    pass(3_600_000)
    const other = await hub.raise({ ...shipIt, context: 'other' })
    await until(() => receiver.received.length === 2, 'the other was sent')
    expect(receiver.received[1]?.json.request.id).toBe(other.id)
  })

  it('does not follow a redirect', async () => {
    const { hub, send, logged } = await openTestHub(await fresh())
    const [receiver, elsewhere] = [await startReceiver(), await startReceiver()]
    receiver.reply = response => response.writeHead(307, { location: elsewhere.url }).end()
    await hub.targets.add({ kind: 'webhook', url: receiver.url })
    const sender = send()
    await hub.raise(shipIt)
    await until(() => sender.counts.failed === 1, 'the failure')
    expect(elsewhere.received).toEqual([])
    expect(logged[0]?.about.finding).toBe('HTTP 307: redirects are not followed')
  })

  it('delivers to other targets while one hangs', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const [hanging, receiver] = [await startReceiver(), await startReceiver()]
    hanging.reply = () => {}
    await hub.targets.add({ kind: 'webhook', url: hanging.url, name: 'a' })
    await hub.targets.add({ kind: 'webhook', url: receiver.url, name: 'b' })
    send({
      fetch: (url, init) => fetch(url, url.startsWith(hanging.url) ? { ...init, signal: hangingUp.signal } : init),
    })
    const hangingUp = new AbortController()
    for (let i = 0; i < 12; i += 1) await hub.raise({ ...shipIt, context: String(i) })
    const got = await receiver.came(12)
    expect(new Set(got.map(({ json }) => json.request.id)).size).toBe(12)
    expect(hanging.received.length).toBeLessThanOrEqual(4)
    hangingUp.abort()
  })

  it('sends each target the kinds it wants, and reminders', async () => {
    const { hub, pass, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/all` })
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/questions`, kinds: ['question'] })
    await hub.targets.add({
      kind: 'webhook',
      url: `${receiver.url}/danger`,
      kinds: ['approval'],
      minSeverity: 'medium',
    })
    const { counts } = send()
    await hub.raise(approval('low'))
    await hub.raise(approval('high'))
    await hub.raise({ ...shipIt, timeout: 60_000 })
    await receiver.came(5)
    // What is not recorded as sent when its lease ends is sent again.
    await until(() => counts.sent === 5, 'all are recorded as sent')
    pass(61_000)
    await hub.sweep()
    await receiver.came(7)
    const told = (path: string) =>
      receiver.received
        .filter(got => got.path === path)
        .map(({ json }) => [json.event, json.request.kind, json.request.severity])
        .sort()
    const [low, high] = ['low', 'high'].map(severity => ['request.created', 'approval', severity])
    const [asked, reminded] = ['created', 'reminded'].map(what => [`request.${what}`, 'question', null])
    expect(told('/all')).toEqual([high, low, asked, reminded])
    expect(told('/questions')).toEqual([asked, reminded])
    expect(told('/danger')).toEqual([high])
  })

  it('sends everything that was asked while no sender ran, and nothing twice', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    await hub.raise({ ...shipIt, context: 'before there was anybody to tell' })
    await hub.targets.add({ kind: 'webhook', url: receiver.url })
    const ids: string[] = []
    const ask = async (context: string) => ids.push((await hub.raise({ ...shipIt, context })).id)
    const answered = await hub.raise({ ...shipIt, context: 'answered' })
    await hub.answer(answered.id, { value: 'no' })
    await ask('1')
    await ask('2')
    const first = send()
    await receiver.came(2)
    await until(() => first.counts.sent === 2, 'both were written down')
    await first.close()
    await ask('3')
    const second = send()
    await receiver.came(3)
    await ask('4')
    await receiver.came(4)
    await until(() => second.counts.sent === 2, 'both were written down')
    expect(await hub.outbox.counts()).toEqual({ waiting: 0, sent: 4, given_up: 0, cancelled: 0 })
    expect(receiver.received.map(({ json }) => json.request.id).sort()).toEqual(ids)
  })

  it('sends a target only requests asked since it was added, even if other targets get more', async () => {
    const { hub, pass, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/first` })
    await hub.raise(shipIt)
    pass(1_000)
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/second` })
    pass(1_000)
    await hub.raise({ ...shipIt, context: 'later' })
    const sender = send()
    await until(() => sender.counts.sent === 3, 'all were sent')
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/first', '/first', '/second'])
    expect(await hub.outbox.waiting()).toBe(0)
  })

  it('catches up page by page after a long time without a server, and then reads only new events', async () => {
    const { hub } = await openTestHub(await fresh())
    await hub.targets.add({ kind: 'webhook', url: 'http://127.0.0.1:9' })
    const asks = Array.from({ length: 250 }, (_, i) => hub.raise({ ...shipIt, context: String(i) }))
    const [first] = await Promise.all(asks)
    expect(await hub.outbox.write()).toBe(250)
    expect(await hub.outbox.write()).toBe(0)
    await hub.targets.remove('webhook')
    await hub.targets.add({ kind: 'webhook', url: 'http://127.0.0.1:9' })
    await hub.cancel(first?.id ?? '')
    await hub.raise({ ...shipIt, context: 'new' })
    expect(await hub.outbox.write()).toBe(1)
  })

  it('sends each message once with any number of senders', async () => {
    const database = await fresh()
    const houses = [await openTestHub(database), await openTestHub(database), await openTestHub(database)]
    const receiver = await startReceiver()
    await houses[0]?.hub.targets.add({ kind: 'webhook', url: receiver.url })
    const senders = houses.map(testHub => testHub.send())
    const asked = await Promise.all(
      Array.from({ length: 60 }, (_, i) => houses[i % 3]?.hub.raise({ ...shipIt, context: String(i) })),
    )
    await receiver.came(60)
    await until(() => senders.reduce((sum, { counts }) => sum + counts.sent, 0) === 60, 'all were written down')
    expect(await houses[0]?.hub.outbox.counts()).toMatchObject({ waiting: 0, sent: 60 })
    expect(receiver.received).toHaveLength(60)
    expect(new Set(receiver.received.map(({ json }) => json.request.id))).toEqual(new Set(asked.map(one => one?.id)))
  })

  it('sends nothing more to a removed target', async () => {
    const { hub, pass, send } = await openTestHub(await fresh())
    const receiver = await startReceiver(500)
    await hub.targets.add({ kind: 'webhook', url: receiver.url, name: 'gone' })
    await hub.targets.add({ kind: 'webhook', url: `${receiver.url}/stays`, name: 'stays' })
    const sender = send()
    await hub.raise(shipIt)
    await until(() => sender.counts.failed === 2, 'both failed')
    await hub.targets.remove('gone')
    receiver.reply = response => response.end()
    pass(10_000)
    sender.checkNow()
    await until(() => sender.counts.sent === 1, 'the other one was sent')
    expect(await hub.outbox.waiting()).toBe(0)
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/', '/stays', '/stays'])
  })
})
