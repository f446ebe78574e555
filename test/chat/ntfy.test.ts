import { expect, it, vi } from 'vitest'
import { createPrepareChat } from '../../src/chat/prepare-message.ts'
import type { LeasedMessage } from '../../src/hub/outbox.ts'
import { type CallOptions, call } from '../server/test-server.ts'
import { databases } from '../setup/databases.ts'
import { type NtfyMessage, startFakeNtfy } from './fake-ntfy.ts'
import { expectPending, inbox, openNode, outcomeOf, shipIt } from './test-node.ts'

const [sqlite] = databases

async function openTopic() {
  const ntfy = await startFakeNtfy()
  const node = await openNode(await (sqlite as (typeof databases)[0]).fresh())
  await node.hub.targets.add({ kind: 'ntfy', url: `${ntfy.url}/phone`, secret: ntfy.token })
  const server = await node.serve()
  const asked = (title: string) => ntfy.until(() => ntfy.messages.find(({ message }) => message.includes(title)), title)
  /** What the app does when its owner presses a button; the proxy before the server has another address. */
  const press = (message: NtfyMessage, label: string, change: CallOptions & { method?: string } = {}) => {
    const action = message.actions?.find(one => one.label === label)
    if (action?.action !== 'http') throw new Error(`no button ${label}: ${JSON.stringify(message)}`)
    const { method = action.method ?? 'POST', headers, ...rest } = change
    return call(server, method, action.url.slice(inbox.length), { headers: { ...action.headers, ...headers }, ...rest })
  }
  return { ntfy, node, server, asked, press }
}

it('gives a paired topic buttons that answer as its person, and says there who answered', async () => {
  const { node, asked, press } = await openTopic()
  const started = await node.hub.pairings.start('ntfy')
  expect(started).toMatchObject({ code: null, pairing: { kind: 'ntfy', person: 'ana' } })
  const { id } = await node.hub.raise(shipIt)
  const message = await asked('Ship it?')
  expect(message.actions?.map(({ label, action, method }) => [label, action, method])).toEqual([
    ['yes', 'http', 'POST'],
    ['no', 'http', 'POST'],
  ])
  expect(message.actions?.[0]?.url).toBe('https://beckon.example/chat/ntfy/ntfy')
  expect(await press(message, 'yes')).toMatchObject({ status: 200, text: 'You answered: yes' })
  expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'ana', channel: 'ntfy', answers: [{ selected: ['yes'] }] })
  const settled = await asked('Answered by ana')
  expect(settled).toMatchObject({ sequence_id: message.sequence_id })
  expect(settled.actions).toBeUndefined()
})

it('refuses buttons that are forged, used, late, or of another topic; and a GET settles nothing', async () => {
  const { node, asked, press } = await openTopic()
  await node.hub.pairings.start('ntfy')
  const one = await node.hub.raise(shipIt)
  const two = await node.hub.raise({ questions: [{ question: 'Delete it?', options: ['yes', 'no'] }] })
  const [message, other] = [await asked('Ship it?'), await asked('Delete it?')]
  const button = message.actions?.[0]?.headers?.['beckon-button'] ?? ''
  const changed = button.replace('.0.', '.1.')
  for (const forged of [changed, button.replace(one.id.slice(4), two.id.slice(4)), '', 'x'.repeat(60)]) {
    expect(await press(message, 'yes', { headers: { 'beckon-button': forged } })).toMatchObject({ status: 403 })
  }
  for (const method of ['GET', 'HEAD', 'PUT'])
    expect(await press(message, 'yes', { method })).toMatchObject({ status: 405 })
  expect(await press(message, 'yes', { method: 'OPTIONS' })).toMatchObject({ status: 204 })
  await expectPending(node.hub, one.id)

  expect(await press(message, 'yes')).toMatchObject({ status: 200 })
  expect(await press(message, 'yes')).toMatchObject({ status: 409, text: 'This button was used before.' })
  expect(await press(message, 'no')).toMatchObject({
    status: 409,
    text: 'Too late, nothing was changed. Answered by ana.',
  })
  await expectPending(node.hub, two.id)
  const [pairing] = await node.hub.pairings.list()
  await node.hub.pairings.remove(pairing?.id ?? '')
  expect(await press(other, 'yes')).toMatchObject({ status: 403, text: expect.stringMatching(/not paired/) })
  await expectPending(node.hub, two.id)
})

it('slows down those who forge buttons, by the address that the proxy reports', async () => {
  const { server } = await openTopic()
  const forge = (address: string) =>
    call(server, 'POST', '/chat/ntfy/ntfy', { headers: { 'beckon-button': 'x', 'x-forwarded-for': address } })
  const replies = await Promise.all(Array.from({ length: 11 }, () => forge('203.0.113.1')))
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(403), 429])
  expect((await forge('203.0.113.2')).status).toBe(403)
})

it('pairs only with a topic that nobody reads without a token, and gives no buttons before', async () => {
  const { ntfy, node, asked } = await openTopic()
  await node.hub.raise(shipIt)
  expect((await asked('Ship it?')).actions).toBeUndefined()
  ntfy.open.add('phone')
  await expect(node.hub.pairings.start('ntfy')).rejects.toThrow(/everybody can read/)
  ntfy.open.clear()
  await node.hub.pairings.start('ntfy')
  await node.hub.targets.add({ kind: 'ntfy', name: 'public', url: `${ntfy.url}/other` })
  await expect(node.hub.pairings.start('public')).rejects.toThrow(/topic without a token/)
  await node.hub.targets.add({ kind: 'ntfy', name: 'wrong', url: `${ntfy.url}/phone`, secret: 'tk_wrong' })
  await expect(node.hub.pairings.start('wrong')).rejects.toThrow(/may not read its topic/)
  // Somebody opened the topic after it was paired.
  ntfy.open.add('phone')
  await node.hub.raise({ questions: [{ question: 'Delete it?', options: ['yes', 'no'] }] })
  expect((await asked('Delete it?')).actions).toBeUndefined()
})

it('warns when it is paired where no phone can reach the server, and then gives no buttons', async () => {
  const ntfy = await startFakeNtfy()
  const { hub } = await openNode(await (sqlite as (typeof databases)[0]).fresh())
  await hub.targets.add({ kind: 'ntfy', url: `${ntfy.url}/phone`, secret: ntfy.token })
  const warning = async () => (await hub.pairings.start('ntfy')).warning
  expect(await warning()).toMatch(/^No beckon serve has used this database yet: .*no buttons/)
  await hub.outbox.announceInbox('http://127.0.0.1:4141')
  expect(await warning()).toMatch(/^beckon serve has no public address, only http:\/\/127\.0\.0\.1:4141: /)
  await hub.outbox.announceInbox(inbox)
  expect(await warning()).toBeNull()

  const [topic] = await hub.chat.targets()
  const prepare = createPrepareChat(hub.chat, { warn: () => {}, info: () => {} })
  const message = { target: topic?.target, about: await hub.raise(shipIt), event: 'request.created' } as LeasedMessage
  expect(await prepare(message, 'http://127.0.0.1:4141')).toMatchObject({ answering: null })
  expect(await prepare(message, inbox)).toMatchObject({ answering: { buttons: [{ label: 'yes' }, { label: 'no' }] } })
})

it('looks every hour whether the topic is still protected, also when the clock was set back', async () => {
  const ntfy = await startFakeNtfy()
  const { hub } = await openNode(await (sqlite as (typeof databases)[0]).fresh())
  await hub.targets.add({ kind: 'ntfy', url: `${ntfy.url}/phone`, secret: ntfy.token })
  await hub.pairings.start('ntfy')
  const [topic] = await hub.chat.targets()
  const prepare = createPrepareChat(hub.chat, { warn: () => {}, info: () => {} })
  const message = { target: topic?.target, about: await hub.raise(shipIt), event: 'request.created' } as LeasedMessage
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  try {
    expect((await prepare(message, inbox)).answering?.buttons).toHaveLength(2)
    ntfy.open.add('phone')
    vi.setSystemTime(Date.now() - 24 * hour)
    vi.advanceTimersByTime(hour)
    expect(await prepare(message, inbox)).toMatchObject({ answering: null })
  } finally {
    vi.useRealTimers()
  }
})

const hour = 3_600_000
