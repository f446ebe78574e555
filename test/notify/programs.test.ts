import { describe, expect, it } from 'vitest'
import { databases } from '../setup/databases.ts'
import { startReceiver } from './receiver.ts'
import { inbox, openTestHub, shipIt, until } from './test-hub.ts'

describe.each(databases)('a webhook of a program on $name', ({ fresh }) => {
  it('gets the events that it chose, also of what is settled since, without an answer', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    const { target, secret } = await hub.targets.add({
      kind: 'webhook',
      url: receiver.url,
      events: ['request.settled', 'request.created', 'run.completed', 'run.completed'],
    })
    expect(target.events).toEqual(['request.settled', 'request.created', 'run.completed'])
    expect(secret).toMatch(/^beckon_hook_/)
    const run = await hub.runs.start({ name: 'nightly', command: ['agent'], cwd: '/work' })
    const request = await hub.raise({ ...shipIt, run: run.id })
    await hub.answer(request.id, { value: 'yes', note: 'the secret plan' })
    await hub.confirmDelivery(request.id)
    await hub.runs.change(run.id, { status: 'completed', exitCode: 0 })
    const sender = send()
    await receiver.came(3)
    await until(() => sender.counts.sent === 3, 'all are written down')
    const got = receiver.received.map(({ json }) => json).sort((a, b) => a.number - b.number)
    expect(got.map(({ event }) => event)).toEqual(['request.created', 'request.settled', 'run.completed'])
    const settled = await hub.get(request.id)
    expect(got[1]).toEqual({
      event: 'request.settled',
      id: expect.stringMatching(/^msg_\w+$/),
      number: expect.any(Number),
      at: settled.settledAt,
      request: {
        id: request.id,
        kind: 'question',
        status: 'answered',
        title: 'Ship it?',
        run: run.id,
        deadline: null,
        severity: null,
        settledAt: settled.settledAt,
        by: 'person',
        channel: 'sdk',
      },
      run: null,
      url: `${inbox}/requests/${request.id}`,
    })
    expect(got[2]).toMatchObject({
      request: null,
      run: { id: run.id, name: 'nightly', status: 'completed', reason: null, exitCode: 0 },
      url: `${inbox}/runs/${run.id}`,
    })
    const settledOne = receiver.received.find(({ json }) => json.event === 'request.settled')
    expect(settledOne?.headers).toMatchObject({
      'x-beckon-event': 'request.settled',
      'x-beckon-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    })
    expect(receiver.received.map(({ body }) => body.toString()).join()).not.toContain('plan')
  })

  it('gets an event by its own type, at once, and only of the kinds that it wants', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    const add = (path: string, more: object) =>
      hub.targets.add({ kind: 'webhook', url: `${receiver.url}${path}`, name: path, ...more })
    await add('/declined', { events: ['request.declined'] })
    await add('/delivered', { events: ['request.delivered'], kinds: ['question'] })
    await add('/reviews', { events: ['request.settled'], kinds: ['review'] })
    send()
    const first = await hub.raise(shipIt)
    await hub.answer(first.id, { value: 'yes' })
    await hub.confirmDelivery(first.id)
    await receiver.came(1)
    const second = await hub.raise({ ...shipIt, context: 'again' })
    await hub.decline(second.id, { reason: 'no' })
    const review = await hub.raise({ kind: 'review', title: 'Look', files: [] })
    await hub.cancel(review.id)
    const got = await receiver.came(3)
    const heard = got.map(({ path, json }) => [path, json.event, json.request.id, json.request.status])
    expect(heard.sort()).toEqual([
      ['/declined', 'request.declined', second.id, 'declined'],
      ['/delivered', 'request.delivered', first.id, 'answered'],
      ['/reviews', 'request.settled', review.id, 'cancelled'],
    ])
  })

  it('is the only kind of target that chooses events, and among those that exist', async () => {
    const { hub } = await openTestHub(await fresh())
    const add = (more: object) => hub.targets.add({ kind: 'webhook', url: 'https://example.com', ...more } as never)
    await expect(add({ kind: 'slack', events: ['run.failed'] })).rejects.toThrow(/webhook/)
    for (const events of [['kept.added'], ['nonsense'], []]) await expect(add({ events })).rejects.toThrow(/events/)
  })
})
