import { describe, expect, it } from 'vitest'
import { call } from '../server/test-server.ts'
import { databases } from '../setup/databases.ts'
import { type FakeSlack, rateLimited, type SlackMessage, startFakeSlack } from './fake-slack.ts'
import { expectPending, openNode, outcomeOf, shipIt, type TestNode } from './test-node.ts'

const ana = { id: 'U0ANA', name: 'ana.s' }
const mallory = { id: 'U0MAL', name: 'mallory' }
const [sqlite] = databases

async function openApp(database: string, { socket = true } = {}) {
  const slack = await startFakeSlack()
  const node = await openNode(database)
  await node.hub.targets.add({
    kind: 'slack',
    url: slack.url,
    secret: slack.botToken,
    channel: 'C0AGENTS',
    ...(socket ? { appToken: slack.appToken } : { signingSecret: slack.signingSecret }),
  })
  node.start()
  if (socket) await connected(slack)
  return { slack, node }
}

function connected(slack: FakeSlack, count = 1) {
  return slack.until(() => slack.connections.length >= count, 'it is connected')
}

async function pair({ hub }: TestNode, slack: FakeSlack, account = ana) {
  const { code } = await hub.pairings.start('slack')
  return slack.command(account, `pair ${code}`)
}

function asked(slack: FakeSlack, title: string): Promise<SlackMessage> {
  return slack.until(() => slack.messages.find(({ text }) => text.includes(title)), `Slack shows ${title}`)
}

function labels({ blocks }: SlackMessage): string[] {
  return blocks.flatMap(block => (block.type === 'actions' ? block.elements : [])).map(({ text }) => text.text)
}

describe.each(databases)('Slack by Socket Mode on $name', ({ fresh }) => {
  it('pairs an account by a command, and takes a press of it as the answer of its person', async () => {
    const { slack, node } = await openApp(await fresh())
    expect(await pair(node, slack)).toMatchObject({
      payload: { response_type: 'ephemeral', text: expect.stringContaining('answers as ana') },
    })
    const { id } = await node.hub.raise(shipIt)
    const message = await asked(slack, 'Ship it?')
    expect(message.channel).toBe('C0AGENTS')
    expect(labels(message)).toEqual(['yes', 'no', 'Open in Beckon'])
    expect(await slack.press(ana, message, 'no')).toEqual({ envelope_id: expect.any(String) })
    expect(await outcomeOf(node.hub, id)).toMatchObject({
      by: 'ana',
      channel: 'slack',
      answers: [{ selected: ['no'] }],
    })
    await slack.until(() => /Answered by ana/.test(message.text), 'the message says who answered')
    expect(labels(message)).toEqual([])
    expect(slack.ephemeral).toEqual([])
  })
})

describe('Slack by Socket Mode', () => {
  const fresh = () => (sqlite as (typeof databases)[0]).fresh()

  it('tells somebody who is not paired, and somebody who is late, that nothing was changed', async () => {
    const { slack, node } = await openApp(await fresh())
    await pair(node, slack)
    const { id } = await node.hub.raise(shipIt)
    const message = await asked(slack, 'Ship it?')
    const late = slack.payloadOf(ana, message, 'no')
    await slack.press(mallory, message, 'yes')
    await slack.until(() => slack.ephemeral.length === 1, 'mallory is told')
    expect(slack.ephemeral[0]).toMatchObject({
      channel: 'C0AGENTS',
      user: mallory.id,
      text: expect.stringMatching(/not paired/),
    })
    // Somebody of another workspace, in a channel that is shared with it.
    const stranger = slack.payloadOf(ana, message, 'yes') as { user: object }
    await slack.send('interactive', { ...stranger, user: { ...stranger.user, team_id: 'T02' } })
    await slack.until(() => slack.ephemeral.length === 2, 'the stranger is told')
    expect(slack.ephemeral[1]?.text).toMatch(/not paired/)
    await expectPending(node.hub, id)
    await node.hub.answer(id, { value: 'yes', by: 'bea', channel: 'web' })
    await slack.send('interactive', late)
    await slack.until(() => slack.ephemeral.length === 3, 'ana is told')
    expect(slack.ephemeral[2]).toMatchObject({ user: ana.id, text: 'Too late, nothing was changed. Answered by bea.' })
    expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'bea' })
  })

  it('opens the next connection before Slack closes this one, and misses no press', async () => {
    const { slack, node } = await openApp(await fresh())
    await pair(node, slack)
    const [old] = slack.connections
    old?.send({ type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'applink-1' } })
    await connected(slack, 2)
    const ids: string[] = []
    for (const question of ['One?', 'Two?']) {
      ids.push((await node.hub.raise({ questions: [{ question, options: ['yes', 'no'] }] })).id)
      // Slack uses the connections in turn.
      expect(await slack.press(ana, await asked(slack, question), 'yes')).not.toBeNull()
    }
    old?.close()
    await slack.until(() => slack.connections.length === 1, 'the old one is closed')
    for (const id of ids) expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'ana' })
  })

  it('connects again after the network was cut, and waits as long as Slack asks', async () => {
    const { slack, node } = await openApp(await fresh())
    slack.refuseNext('apps.connections.open', rateLimited(0))
    slack.refuseNext('apps.connections.open', {
      json: { ok: false, error: 'internal_error' },
      headers: { 'retry-after': '0' },
    })
    slack.connections[0]?.destroy()
    await slack.until(() => slack.opened === 2, 'it is connected again')
    expect(node.logged.join('\n')).not.toContain(slack.appToken)
    await pair(node, slack)
    slack.refuseNext('chat.postMessage', rateLimited(0))
    const { id } = await node.hub.raise(shipIt)
    await slack.press(ana, await asked(slack, 'Ship it?'), 'yes')
    expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'ana' })
  })

  it('stops at once where Slack has vanished without a word', async () => {
    const { slack, node } = await openApp(await fresh())
    slack.connections[0]?.freeze()
    await node.close()
    // Another server may listen from now on.
    const { hub } = await openNode(node.database)
    const [bot] = await hub.chat.targets()
    expect(await hub.chat.listen(bot?.bot ?? '', 'next', 60_000)).toBe(true)
  })

  it('acknowledges what it does not know, and passes it over', async () => {
    const { slack } = await openApp(await fresh())
    expect(await slack.send('events_api', { type: 'event_callback', event: { type: 'message' } })).not.toBeNull()
    expect(await slack.send('interactive', { type: 'view_submission', user: ana })).not.toBeNull()
    expect(await slack.send('interactive', { type: 'block_actions', user: 7 })).not.toBeNull()
    slack.connections[0]?.send({ type: 'news' })
    expect(await slack.send('events_api', {})).not.toBeNull()
  })

  it('has no buttons where Beckon would not hear of a press, and pairs nobody', async () => {
    const slack = await startFakeSlack()
    const node = await openNode(await fresh())
    await node.hub.targets.add({ kind: 'slack', url: slack.url, secret: slack.botToken, channel: 'C0AGENTS' })
    node.start()
    await expect(node.hub.pairings.start('slack')).rejects.toThrow(/neither an app token .* nor a signing secret/)
    await node.hub.raise(shipIt)
    expect(labels(await asked(slack, 'Ship it?'))).toEqual(['Open in Beckon'])
  })

  it('writes to the person who paired where it has no channel', async () => {
    const slack = await startFakeSlack()
    const node = await openNode(await fresh())
    await node.hub.targets.add({ kind: 'slack', url: slack.url, secret: slack.botToken, appToken: slack.appToken })
    node.start()
    await connected(slack)
    await pair(node, slack)
    await node.hub.raise(shipIt)
    expect((await asked(slack, 'Ship it?')).channel).toBe('D0ANA')
  })
})

describe('Slack over HTTP', () => {
  async function openCallbacks() {
    const { slack, node } = await openApp(await (sqlite as (typeof databases)[0]).fresh(), { socket: false })
    const server = await node.serve()
    const path = '/chat/slack/slack'
    const send = (form: Record<string, string>, options?: Parameters<FakeSlack['signed']>[1]) =>
      call(server, 'POST', path, slack.signed(form, options))
    const { code } = await node.hub.pairings.start('slack')
    const command = { command: '/beckon', text: `pair ${code}`, team_id: 'T01', user_id: ana.id, user_name: ana.name }
    return { slack, node, server, path, send, command }
  }

  it('takes what Slack has signed: a command that pairs, and a press that answers', async () => {
    const { slack, node, send, command } = await openCallbacks()
    expect(await send(command)).toMatchObject({
      status: 200,
      json: { text: expect.stringContaining('answers as ana') },
    })
    const { id } = await node.hub.raise(shipIt)
    const payload = JSON.stringify(slack.payloadOf(ana, await asked(slack, 'Ship it?'), 'yes'))
    expect(await send({ payload })).toMatchObject({ status: 200, text: '' })
    expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'ana', channel: 'slack' })
  })

  it('refuses what is forged, changed, old or not signed, and takes a replay for what it is', async () => {
    const { slack, node, server, path, send, command } = await openCallbacks()
    await send(command)
    const { id } = await node.hub.raise(shipIt)
    const payload = JSON.stringify(slack.payloadOf(ana, await asked(slack, 'Ship it?'), 'yes'))
    const good = slack.signed({ payload })
    const other = { kind: 'slack' as const, name: 'other', url: slack.url, secret: 'xoxb-2', channel: 'C02' }
    await node.hub.targets.add({ ...other, signingSecret: 'ab'.repeat(16) })
    const refusals = [
      send({ payload }, { secret: 'ab'.repeat(16) }),
      send({ payload }, { secret: '0'.repeat(32) }),
      send({ payload }, { at: Date.now() - 6 * 60_000 }),
      call(server, 'POST', path, { ...good, body: good.body.replace('yes', 'no') }),
      call(server, 'POST', path, { body: good.body, headers: { 'content-type': good.headers['content-type'] } }),
      call(server, 'POST', '/chat/slack/nobody', good),
    ]
    for (const refusal of refusals) expect(await refusal).toMatchObject({ status: 403 })
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      expect(await call(server, method, `${path}?${good.body}`, { headers: good.headers })).toMatchObject({
        status: 405,
      })
    }
    expect(
      await call(server, 'POST', path, { ...good, headers: { ...good.headers, host: 'evil.example' } }),
    ).toMatchObject({ status: 421 })
    await expectPending(node.hub, id)

    expect(await call(server, 'POST', path, good)).toMatchObject({ status: 200 })
    expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'ana' })
    expect(await call(server, 'POST', path, good)).toMatchObject({ status: 200 })
    expect(await node.hub.chat.leasePresses(10)).toEqual([])
    expect(slack.ephemeral).toEqual([])
  })
})
