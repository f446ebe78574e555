import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAllowedHosts } from '../../src/notify/callbacks/allowed-hosts.ts'
import { postCallback } from '../../src/notify/callbacks/post-callback.ts'
import type { Delivery } from '../../src/notify/post.ts'
import { databases, testKey } from '../setup/databases.ts'
import { startProcess } from '../setup/start-process.ts'
import { certificate } from './certificate.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { openTestHub, shipIt, type TestHub, until } from './test-hub.ts'

function listFor(receiver: Receiver): string {
  return `${new URL(receiver.url).host},127.0.0.0/8,::1`
}

function callingTo(receiver: Receiver) {
  const allowed = readAllowedHosts(listFor(receiver).split(','), 'list')
  return { callBack: (delivery: Delivery) => postCallback(delivery, { allowed, tls: { ca: certificate().cert } }) }
}

async function startCallbacks(database: string): Promise<TestHub & { receiver: Receiver; start: TestHub['send'] }> {
  const receiver = await startReceiver(200, 0, certificate())
  const opened = await openTestHub(database, { BECKON_CALLBACK_HOSTS: listFor(receiver) })
  return {
    ...opened,
    receiver,
    start: options => opened.send({ ...callingTo(receiver), random: () => 0.5, ...options }),
  }
}

describe.each(databases)('a callback on $name', ({ fresh }) => {
  it('tells the asker that its request is settled, signed, with id and status and nothing else', async () => {
    const { hub, receiver, start } = await startCallbacks(await fresh())
    const sender = start()
    const request = await hub.raise({ ...shipIt, callbackUrl: `${receiver.url}/resume?step=7#top` })
    expect(JSON.stringify(await hub.get(request.id))).not.toContain('resume')
    await hub.answer(request.id, { value: 'yes' })
    const [got] = await receiver.came(1)
    expect(got?.path).toBe('/resume?step=7')
    expect(got?.body.toString()).toBe(JSON.stringify({ id: request.id, status: 'answered' }))
    expect(got?.headers).toMatchObject({
      'x-beckon-event': 'request.settled',
      'x-beckon-delivery': expect.stringMatching(/^msg_\w+$/),
      'idempotency-key': got?.headers['x-beckon-delivery'],
    })
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(got?.headers['x-beckon-signature'])) ?? []
    const secret = await hub.callbacks.secret()
    expect(createHmac('sha256', secret).update(`${time}.${got?.body}`).digest('hex')).toBe(signature)
    await until(() => sender.counts.sent === 1, 'it was written down')
    expect(await hub.outbox.counts()).toEqual({ waiting: 0, sent: 1, given_up: 0, cancelled: 0 })
  })

  it('comes however the request ends, also while nothing ran to send it', async () => {
    const { hub, pass, receiver, start } = await startCallbacks(await fresh())
    const ask = (key: string, more: object = {}) =>
      hub.raise({ ...shipIt, ...more, key, callbackUrl: `${receiver.url}/${key}` })
    const { id: withdrawn } = await ask('cancelled')
    const { id: refused } = await ask('declined')
    const run = await hub.runs.start({ command: ['agent'], cwd: '/work' })
    await ask('orphaned', { run: run.id })
    await ask('expired', { timeout: 1_000, onTimeout: 'fail' })
    await hub.cancel(withdrawn)
    await hub.decline(refused, { reason: 'no' })
    await hub.runs.change(run.id, { status: 'completed', exitCode: 0 })
    pass(2_000)
    await hub.sweep()
    start()
    const got = await receiver.came(4)
    const heard = Object.fromEntries(got.map(({ path, json }) => [path.slice(1), json.status]))
    expect(heard).toEqual({ cancelled: 'cancelled', declined: 'declined', orphaned: 'orphaned', expired: 'expired' })
  })

  it('comes to every caller that joined the request, at its own address, and once', async () => {
    const { hub, receiver, start } = await startCallbacks(await fresh())
    const ask = (path: string) => hub.raise({ ...shipIt, key: 'deploy', callbackUrl: `${receiver.url}${path}` })
    const { id } = await ask('/first')
    expect([(await ask('/first')).id, (await ask('/second')).id]).toEqual([id, id])
    const sender = start()
    await hub.answer(id, { value: 'no' })
    await receiver.came(2)
    // Who joins after the answer has it in the reply, and is called all the same.
    expect(await ask('/third')).toMatchObject({ id, status: 'answered' })
    await sender.close()
    const next = start()
    await receiver.came(3)
    await until(() => sender.counts.sent + next.counts.sent === 3, 'all are written down')
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/first', '/second', '/third'])
    for (let i = 4; i <= 20; i += 1) await ask(`/${i}`)
    await expect(ask('/21')).rejects.toMatchObject({ code: 'too_many' })
  })

  it('is tried again with the same id, and given up when nobody waits there any more', async () => {
    const { hub, pass, receiver, start, logged } = await startCallbacks(await fresh())
    receiver.reply = (response, _, count) => response.writeHead(count < 2 ? 503 : 410).end()
    const sender = start()
    const { id } = await hub.raise({ ...shipIt, callbackUrl: receiver.url })
    await hub.answer(id, { value: 'yes' })
    await until(() => sender.counts.failed === 1, 'the first try')
    pass(1_000)
    sender.checkNow()
    await until(() => sender.counts.givenUp === 1, 'it was given up')
    const [first, second] = receiver.received
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(logged.map(({ about }) => about.finding)).toEqual(['HTTP 503', 'HTTP 410'])
    expect(JSON.stringify(logged)).not.toContain('https://')
  })

  it('is left to the next sender when one is killed, with the same id', async () => {
    const database = await fresh()
    const { hub, pass, receiver, start } = await startCallbacks(database)
    const { id } = await hub.raise({ ...shipIt, callbackUrl: receiver.url })
    await hub.answer(id, { value: 'yes' })
    const child = startProcess(join(import.meta.dirname, 'processes/dying-callback.ts'), [database], {
      ...process.env,
      BECKON_KEY: testKey,
      BECKON_CALLBACK_HOSTS: listFor(receiver),
      NODE_EXTRA_CA_CERTS: certificate().file,
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(receiver.received).toHaveLength(1)
    const sender = start()
    pass(60_000)
    sender.checkNow()
    const [first, second] = await receiver.came(2)
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(second?.body).toEqual(first?.body)
    await until(() => sender.counts.sent === 1, 'it was written down')
  })

  it('is sent by one server of several', async () => {
    const database = await fresh()
    const { hub, receiver, start } = await startCallbacks(database)
    const other = await openTestHub(database, { BECKON_CALLBACK_HOSTS: listFor(receiver) })
    const senders = [start(), other.send(callingTo(receiver))]
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, i) => hub.raise({ ...shipIt, key: `k${i}`, callbackUrl: `${receiver.url}/${i}` })),
    )
    await Promise.all(asked.map(({ id }, i) => (i % 2 ? hub : other.hub).answer(id, { value: 'yes' })))
    const sent = () => senders.reduce((sum, { counts }) => sum + counts.sent, 0)
    await until(() => sent() === 20, 'all were written down')
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(20)
    expect(receiver.received).toHaveLength(20)
  })

  it('is refused where its host is not listed, and then nothing is stored', async () => {
    const { hub, receiver } = await startCallbacks(await fresh())
    const port = new URL(receiver.url).port
    for (const callbackUrl of [
      'https://evil.example/',
      'https://localhost/',
      `https://localhost.:${port}/`,
      `https://localhost.evil.example:${port}/`,
      `https://127.0.0.1:${port}/`,
      `https://2130706433:${port}/`,
      `https://0177.0.0.1:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://me:pass@localhost:${port}/`,
      `https://localhost:${port}@evil.example/`,
      `http://localhost:${port}/`,
      'javascript:alert(1)',
      'localhost',
    ]) {
      const refused = await hub.raise({ ...shipIt, callbackUrl }).catch(error => error)
      expect([callbackUrl, refused]).toMatchObject([
        callbackUrl,
        { code: 'invalid', details: [{ path: 'callbackUrl' }] },
      ])
    }
    expect((await hub.list()).requests).toEqual([])
    const unlisted = await openTestHub(await fresh())
    await expect(unlisted.hub.raise({ ...shipIt, callbackUrl: receiver.url })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('--callback-host'),
    })
  })
})

it('signs with a secret of the token that asked, and calls nobody once that token is revoked', async () => {
  const { hub, receiver, start } = await startCallbacks((await databases[0]?.fresh()) ?? '')
  const { token, secret } = await hub.tokens.create({ scope: 'ask', name: 'function' })
  const grant = await hub.access.identify(secret)
  if (!grant) throw new Error('no grant')
  const asker = hub.as(grant)
  expect(await asker.callbacks.secret()).not.toBe(await hub.callbacks.secret())
  const { id } = await asker.raise({ ...shipIt, callbackUrl: receiver.url })
  await hub.tokens.revoke(token.id)
  await hub.answer(id, { value: 'yes' })
  start()
  await until(async () => (await hub.outbox.counts()).cancelled === 1, 'it was cancelled')
  expect(receiver.received).toEqual([])
})
