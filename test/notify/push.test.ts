import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type SenderOptions, startSender } from '../../src/notify/sender.ts'
import { collectGarbage } from '../../src/store/collect-garbage.ts'
import { openStore } from '../../src/store/open.ts'
import { call, signIn, startServer } from '../server/test-server.ts'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { startReceiver } from './receiver.ts'
import { inbox, openTestHub, shipIt, until } from './test-hub.ts'

/** A browser: its keys, and how it reads what was sent to it (RFC 8291 and 8188, by hand). */
function createBrowser(endpoint: string) {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length))
  return {
    // As PushSubscription.toJSON() has it.
    subscription: {
      endpoint,
      expirationTime: null,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    read(body: Buffer) {
      const salt = body.subarray(0, 16)
      const sender = body.subarray(21, 21 + (body[20] as number))
      const text = body.subarray(21 + sender.length)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
      const secret = derive(pair.computeSecret(sender), auth, info, 32)
      const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
      const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(text.subarray(-16))
      const plain = Buffer.concat([decipher.update(text.subarray(0, -16)), decipher.final()])
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString())
    },
  }
}

/** Whether the service may believe that it was us (RFC 8292). */
function verifyVapid(authorization: string, key: string) {
  const [, token = '', k = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  const [header, claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(k, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as JsonWebKey, format: 'jwk' })
  const good = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return { good: good && k === key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) }
}

/** The service of a browser's maker is always HTTPS; here it is a server of this machine. */
const service = 'https://push.example'
const toLocal = (local: string): Pick<SenderOptions, 'fetch'> => ({
  fetch: (url, init) => fetch(url.replace(service, local), init),
})

describe.each(databases)('push messages on $name', ({ fresh }) => {
  it('sends one small, signed message per request, encrypted for that browser', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver(201)
    const browser = createBrowser(`${service}/send/abc`)
    const key = await hub.push.key()
    expect(Buffer.from(key, 'base64url')).toHaveLength(65)
    await hub.push.subscribe(browser.subscription)
    await hub.push.subscribe(browser.subscription)
    expect(await hub.targets.list()).toMatchObject([{ kind: 'push', address: `${service}/…`, by: 'person' }])
    const sender = send(toLocal(receiver.url))
    const { id } = await hub.raise({ ...shipIt, questions: [{ question: '배포할까요? \u202e\x1b[31m' }] })
    const [got] = await receiver.came(1)
    await until(() => sender.counts.sent === 1, 'it was written down')
    expect(got?.path).toBe('/send/abc')
    expect(browser.read(got?.body as Buffer)).toEqual({
      id,
      title: 'Beckon: question',
      body: `배포할까요? \\u202e\\x1b[31m\nFrom: script (person) · On: ${hostname()} · Project: work`,
      run: null,
      url: `${inbox}/requests/${id}`,
    })
    expect(got?.headers).toMatchObject({ topic: id, ttl: '86400', urgency: 'normal', 'content-encoding': 'aes128gcm' })
    const { good, claims } = verifyVapid(String(got?.headers.authorization), key)
    expect([good, claims.aud, claims.sub]).toEqual([true, service, inbox])
    expect(receiver.received).toHaveLength(1)
  })

  it('sends a device only what is urgent, if it wants no more', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver(201)
    const [all, urgent] = [createBrowser(`${service}/all`), createBrowser(`${service}/urgent`)]
    await hub.push.subscribe(all.subscription)
    expect(await hub.push.subscribe({ ...urgent.subscription, urgentOnly: true })).toMatchObject({ urgentOnly: true })
    const ask = (more: object) => hub.raise({ ...shipIt, key: randomUUID(), ...more })
    const calm = await ask({ timeout: 3_600_000 })
    const soon = await ask({ timeout: 600_000 })
    const action = { command: 'terraform destroy', cwd: '/work' }
    const danger = await hub.raise({ kind: 'approval', key: randomUUID(), action })
    const stash = await hub.raise({
      kind: 'approval',
      key: randomUUID(),
      action: { ...action, command: 'git stash drop' },
    })
    const run = await hub.runs.start({ name: 'nightly', command: ['x'], cwd: '/work' })
    await hub.runs.change(run.id, { status: 'failed', reason: 'crashed' })
    send(toLocal(receiver.url))
    const came = await receiver.came(7)
    const told = (path: string, browser: typeof all) =>
      came.filter(one => one.path === path).map(one => browser.read(one.body).id)
    expect(told('/all', all).sort()).toEqual([calm.id, soon.id, danger.id, stash.id, run.id].sort())
    expect(told('/urgent', urgent).sort()).toEqual([soon.id, danger.id].sort())
    // The same browser again, with another choice: its latest counts.
    expect(await hub.push.subscribe(urgent.subscription)).not.toHaveProperty('urgentOnly')
  })

  it('carries the options of a simple question to a device that answers in notifications, and nothing else', async () => {
    const { hub, send } = await openTestHub(await fresh())
    const receiver = await startReceiver(201)
    const [opted, other] = [createBrowser(`${service}/opted`), createBrowser(`${service}/other`)]
    await hub.push.subscribe({ ...opted.subscription, quickAnswers: true })
    await hub.push.subscribe(other.subscription)
    const ask = async (question: object, more: object = {}) =>
      (
        await hub.raise({
          key: randomUUID(),
          questions: [{ question: 'Ship it?', options: ['yes', 'no'], ...question }],
          ...more,
        } as never)
      ).id
    const simple = await ask({})
    const askedBack = await ask({}, { canReply: true })
    await hub.messages.send(askedBack, { text: 'Which version?' })
    const never = [
      await ask({ options: ['a', 'b', 'c'] }),
      await ask({ multiSelect: true }),
      await ask({ options: [] }),
      await ask({ options: [{ label: 'yes', description: 'and delete the old database' }, 'no'] }),
      await ask({}, { context: 'Read this first.' }),
      await ask({ question: 'Go on?', header: 'Drop it' }),
      await ask({}, { attachments: [{ name: 'plan.txt', data: Buffer.from('first').toString('base64') }] }),
      askedBack,
      await ask({ options: ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'no'] }),
      await ask({ options: ['yes\u202e', 'no'] }),
      await ask({ question: 'Long? '.repeat(40) }),
      (await hub.raise({ kind: 'approval', key: randomUUID(), action: { command: 'ls', cwd: '/work' } })).id,
      (await hub.raise({ kind: 'review', key: randomUUID(), phase: 1, title: 'Done', files: [] })).id,
      (await hub.raise({ kind: 'dependency', key: randomUUID(), type: 'permission', name: 'push', description: 'x' }))
        .id,
    ]
    send(toLocal(receiver.url))
    const came = await receiver.came((never.length + 1) * 2)
    const read = (path: string, browser: typeof opted) =>
      came.filter(one => one.path === path).map(one => browser.read(one.body))
    const withButtons = read('/opted', opted).filter(({ quick }) => quick)
    expect(withButtons.map(({ id, quick }) => ({ id, quick }))).toEqual([
      { id: simple, quick: { question: 'q1', options: ['yes', 'no'] } },
    ])
    expect(read('/other', other).filter(({ quick }) => quick)).toEqual([])
  })

  it('tells what happened to a test message, and sends none to an unknown browser', async () => {
    const { hub } = await openTestHub(await fresh())
    const { subscription } = createBrowser('https://127.0.0.1:1/send')
    await hub.push.subscribe(subscription)
    expect(await hub.push.test(subscription.endpoint)).toEqual({
      delivered: false,
      finding: expect.stringContaining('cannot be reached'),
      sent: expect.any(String),
      reply: '',
      warning: expect.any(String),
    })
    await expect(hub.push.test('https://push.example/other')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('removes only the browser that the push service reports as gone', async () => {
    const { hub, pass, send, logged } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    receiver.reply = (response, { path }) => response.writeHead(path === '/gone' ? 410 : 201).end()
    await hub.push.subscribe(createBrowser(`${service}/gone`).subscription)
    await hub.push.subscribe(createBrowser(`${service}/here`).subscription)
    const sender = send(toLocal(receiver.url))
    await hub.raise(shipIt)
    await until(async () => (await hub.targets.list()).length === 1, 'it was removed')
    await until(() => sender.counts.sent === 1, 'the other was told')
    pass(600_000)
    sender.checkNow()
    await hub.raise({ ...shipIt, context: 'next' })
    await until(() => sender.counts.sent === 2, 'the other was told again')
    expect(receiver.received.filter(({ path }) => path === '/gone')).toHaveLength(1)
    expect(logged.map(({ what }) => what)).toEqual(['removed a browser that is no longer subscribed'])
    expect(JSON.stringify(logged)).not.toContain('/gone')
  })

  it('uses one pair of keys on all nodes and after a restart', async () => {
    const database = await fresh()
    const houses = await Promise.all([1, 2, 3].map(() => openTestHub(database)))
    const keys = await Promise.all(houses.map(({ hub }) => hub.push.key()))
    expect(new Set(keys).size).toBe(1)
    expect(await (await openTestHub(database)).hub.push.key()).toBe(keys[0])
  })
})

describe('a browser', () => {
  it('notifies a browser that subscribes like the page, until it signs out', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'))
    const receiver = await startReceiver(201)
    const log = { warn() {}, info() {} }
    const sender = startSender({ hub: server.hub, outbox: server.hub.outbox, inbox, log, ...toLocal(receiver.url) })
    try {
      const cookie = await signIn(server, 'answer', 'minji')
      const headers = { cookie, origin: server.url }
      const { json } = await call(server, 'GET', '/api/push/key', { headers })
      expect(json).toEqual({ key: await server.hub.push.key() })
      const phone = createBrowser(`${service}/phone`)
      const laptop = createBrowser(`${service}/laptop`)
      for (const { subscription } of [phone, laptop]) {
        const done = await call(server, 'POST', '/api/push/subscriptions', { headers, body: subscription })
        expect([done.status, done.json.target]).toMatchObject([201, { kind: 'push', by: 'minji' }])
      }
      const stop = { headers, body: { endpoint: phone.subscription.endpoint } }
      expect((await call(server, 'DELETE', '/api/push/subscriptions', stop)).json).toEqual({ removed: true })
      expect((await call(server, 'DELETE', '/api/push/subscriptions', stop)).json).toEqual({ removed: false })
      await server.hub.raise(shipIt)
      const [got] = await receiver.came(1)
      expect(laptop.read(got?.body as Buffer).body).toMatch(/^Ship it\?\nFrom: /)
      await call(server, 'DELETE', '/api/session', { headers, body: {} })
      expect(await server.hub.targets.list()).toEqual([])
      expect(receiver.received).toHaveLength(1)
    } finally {
      await sender.close()
    }
  })

  it('gets no message after the token behind its session has ended, but may after its session has expired', async () => {
    let moved = 0
    const database = join(temporaryFolder(), 'beckon.db')
    const shift = () => moved
    const server = await startServer(database, { hub: { shift } })
    const receiver = await startReceiver(201)
    const log = { warn() {}, info() {} }
    const sender = startSender({ hub: server.hub, outbox: server.hub.outbox, inbox, log, ...toLocal(receiver.url) })
    try {
      const day = 86_400_000
      const subscribe = async (name: string, expires?: number) => {
        const secret = await server.token('answer', { name, ...(expires ? { expires } : {}) })
        const link = (await call(server, 'POST', '/api/session/links', { token: secret, body: {} })).json.url
        const opened = await call(server, 'POST', '/api/session', { body: { secret: link.split('#signin=')[1] } })
        const headers = { cookie: opened.headers['set-cookie']?.[0]?.split(';')[0] ?? '', origin: server.url }
        const { subscription } = createBrowser(`${service}/${name}`)
        await call(server, 'POST', '/api/push/subscriptions', { headers, body: subscription })
      }
      await subscribe('short', day)
      await subscribe('long')
      const told = () => receiver.received.map(({ path }) => path).toSorted()
      await server.hub.raise(shipIt)
      await until(() => receiver.received.length === 2, 'both were told')
      // Longer than a session lasts; what has expired is deleted, as `beckon gc` does it.
      moved = 40 * day
      const store = await openStore({ database, shift })
      await collectGarbage(store, { before: (await store.read(view => view.now())) - day })
      await store.close()
      await server.hub.raise({ ...shipIt, context: 'later' })
      await until(() => receiver.received.length === 3, 'one was told')
      await until(async () => (await server.hub.targets.list()).length === 1, 'the other was removed')
      expect(told()).toEqual(['/long', '/long', '/short'])
      const { id } = (await server.hub.tokens.list()).find(({ name }) => name === 'long') ?? { id: '' }
      await server.hub.tokens.revoke(id)
      expect(await server.hub.targets.list()).toEqual([])
    } finally {
      await sender.close()
    }
  })

  it('refuses addresses that are not push services, bad keys, and agents', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'))
    const [ask, answer] = [await server.token('ask'), await server.token('answer')]
    const { subscription } = createBrowser(`${service}/x`)
    const subscribe = (token: string, body: object) =>
      call(server, 'POST', '/api/push/subscriptions', { token, body }).then(({ status }) => status)
    expect(await subscribe(ask, subscription)).toBe(403)
    expect(await subscribe(answer, { ...subscription, endpoint: 'http://127.0.0.1/x' })).toBe(422)
    expect(await subscribe(answer, { ...subscription, endpoint: 'https://me:pw@push.example/x' })).toBe(422)
    expect(await subscribe(answer, { ...subscription, keys: { p256dh: 'AAAA', auth: 'AAAA' } })).toBe(422)
    expect(await subscribe(answer, {})).toBe(422)
    expect(await server.hub.targets.list()).toEqual([])
  })
})
