import { describe, expect, it } from 'vitest'
import { makeButton } from '../../src/chat/buttons.ts'
import { databases } from '../setup/databases.ts'
import { type FakeTelegram, refused, startFakeTelegram, type TelegramMessage } from './fake-telegram.ts'
import { expectPending, openNode, outcomeOf, shipIt, type TestNode } from './test-node.ts'

const ana = { id: 1001, first_name: 'Ana', username: 'ana_t' }
const bea = { id: 1002, first_name: 'Bea', username: 'bea_t' }
const mallory = { id: 6666, first_name: 'Mallory' }
const [sqlite] = databases

async function openBot(database: string, options?: Parameters<typeof openNode>[1]) {
  const telegram = await startFakeTelegram()
  const node = await openNode(database, options)
  await node.hub.targets.add({ kind: 'telegram', url: telegram.url, secret: telegram.token })
  node.start()
  return { telegram, node }
}

/** Pairs an account as its owner does: by opening the link. */
async function pair(node: TestNode, telegram: FakeTelegram, account = ana) {
  const { link } = await node.hub.pairings.start('telegram')
  telegram.write(account, `/start ${new URL(link ?? '').searchParams.get('start')}`)
  await said(telegram, account.id, /answers as/)
}

function said(telegram: FakeTelegram, chat: number, what: RegExp): Promise<TelegramMessage> {
  return telegram.until(() => telegram.messages.find(one => one.chat.id === chat && what.test(one.text)), String(what))
}

function asked(telegram: FakeTelegram, title: string): Promise<TelegramMessage> {
  return said(telegram, ana.id, new RegExp(title))
}

function shown(telegram: FakeTelegram, query: string) {
  return telegram.until(() => telegram.shown.find(one => one.query === query), `${query} was answered`)
}

function labels({ reply_markup }: TelegramMessage): string[] {
  return (reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text)
}

describe.each(databases)('Telegram on $name', ({ fresh }) => {
  it('pairs an account by a link, and takes a press of it as the answer of its person', async () => {
    const { telegram, node } = await openBot(await fresh())
    const { hub } = node
    const started = await hub.pairings.start('telegram')
    expect(started).toMatchObject({ bot: '@beckon_test_bot', pairing: null })
    expect(started.link).toBe(`https://t.me/beckon_test_bot?start=${started.code?.replaceAll('-', '')}`)
    telegram.write(ana, `/start ${started.code?.replaceAll('-', '')}`)
    await said(telegram, ana.id, /This account answers as ana/)
    expect(await hub.pairings.list()).toMatchObject([{ target: 'telegram', account: '@ana_t', person: 'ana' }])

    const { id } = await hub.raise(shipIt)
    const message = await asked(telegram, 'Ship it')
    expect(labels(message)).toEqual(['yes', 'no', 'Open in Beckon'])
    const query = telegram.press(ana, message, 'yes')
    expect(await outcomeOf(hub, id)).toMatchObject({
      status: 'answered',
      by: 'ana',
      channel: 'telegram',
      answers: [{ selected: ['yes'] }],
    })
    expect(await shown(telegram, query)).toMatchObject({ text: 'You answered: yes', alert: false })
    await telegram.until(() => /Answered by ana/.test(message.text), 'the message says who answered')
    expect(labels(message)).toEqual([])
    const events = await hub.events({ limit: 1_000 })
    expect(events.filter(({ type }) => type === 'request.answered')).toMatchObject([
      { request: id, data: { by: 'ana', channel: 'telegram' } },
    ])
  })

  it('lets the first of two people win who press at once on two servers, and tells the other', async () => {
    const database = await fresh()
    const { telegram, node } = await openBot(database)
    await pair(node, telegram)
    const other = await openNode(database, { user: 'bea' })
    await pair(other, telegram, bea)
    other.start()
    const { id } = await node.hub.raise(shipIt)
    const message = await asked(telegram, 'Ship it')
    const queries = [telegram.press(ana, message, 'yes'), telegram.press(bea, message, 'no')]
    // A client that was changed sends what no database takes as text.
    queries.push(telegram.pressRaw(ana, message, '\0\ud800'), telegram.pressRaw(ana, message, 'x'.repeat(100)))
    const outcome = await outcomeOf(node.hub, id)
    const [yes, no, ...hostile] = await Promise.all(queries.map(query => shown(telegram, query)))
    const winner = outcome?.by === 'ana' ? { label: 'yes', told: yes, late: no } : { label: 'no', told: no, late: yes }
    expect(outcome).toMatchObject({ channel: 'telegram', answers: [{ selected: [winner.label] }] })
    expect(winner.told?.text).toBe(`You answered: ${winner.label}`)
    expect(winner.late?.text).toBe(`Too late, nothing was changed. Answered by ${outcome?.by}.`)
    for (const { text } of hostile) expect(text).toMatch(/not a button of Beckon/)
    await telegram.until(() => message.text.includes(`Answered by ${outcome?.by}`), 'the message says who answered')
    const events = await node.hub.events({ limit: 1_000 })
    expect(events.filter(({ type }) => type === 'request.answered')).toHaveLength(1)
  })

  it('takes a stored press up again after its server died, and settles nothing twice', async () => {
    const database = await fresh()
    const { telegram, node } = await openBot(database)
    await pair(node, telegram)
    const { id } = await node.hub.raise(shipIt)
    const message = await asked(telegram, 'Ship it')
    await node.close()
    // What a server has done when it dies: it stored the press, and leased it.
    const [first, second] = [await openNode(database), await openNode(database)]
    const button = message.reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? ''
    const [target] = await first.hub.chat.targets()
    const press = { id: 'press', target: target?.id ?? '', account: String(ana.id), button, place: { query: 'gone' } }
    expect(await first.hub.chat.takePress(press)).toBe(true)
    expect(await first.hub.chat.leasePresses(10)).toHaveLength(1)
    expect(await first.hub.chat.takePress(press)).toBe(false)
    expect(await second.hub.chat.leasePresses(10)).toEqual([])

    second.pass(30_000)
    second.start()
    expect(await outcomeOf(second.hub, id)).toMatchObject({ by: 'ana', channel: 'telegram' })
    const events = await second.hub.events({ limit: 1_000 })
    expect(events.filter(({ type }) => type === 'request.answered')).toHaveLength(1)
  })
})

describe('Telegram', () => {
  const fresh = () => (sqlite as (typeof databases)[0]).fresh()

  it('tells an account that is not paired how to pair, and changes nothing', async () => {
    const { telegram, node } = await openBot(await fresh())
    await pair(node, telegram)
    const { id } = await node.hub.raise(shipIt)
    const query = telegram.press(mallory, await asked(telegram, 'Ship it'), 'yes')
    expect(await shown(telegram, query)).toMatchObject({
      alert: true,
      text: expect.stringMatching(/not paired.*beckon notify pair telegram/),
    })
    await expectPending(node.hub, id)
    telegram.write(mallory, 'hello')
    await said(telegram, mallory.id, /beckon notify pair/)
    telegram.write(mallory, '/pair AAAA-BBBB-CCCC')
    await said(telegram, mallory.id, /code is wrong/)
    expect(await node.hub.pairings.list()).toHaveLength(1)
  })

  it('refuses buttons that were changed, moved to another request, or belong to another bot', async () => {
    const database = await fresh()
    const { telegram, node } = await openBot(database)
    await pair(node, telegram)
    const one = await node.hub.raise(shipIt)
    const two = await node.hub.raise({ questions: [{ question: 'Delete it?', options: ['yes', 'no'] }] })
    const message = await asked(telegram, 'Ship it')
    const [id = '', , signature = ''] = (message.reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? '').split('.')
    const foreign = await startFakeTelegram()
    await node.hub.targets.add({
      kind: 'telegram',
      name: 'other',
      url: foreign.url,
      secret: foreign.token,
      channel: '1001',
    })
    const bots = await node.hub.chat.targets()
    const otherBot = bots.find(({ target }) => target.name === 'other')?.bot ?? ''
    const ofOther = await makeButton(otherBot, { request: one.id, option: 0 }, node.hub.chat.sign)
    const forgeries = [
      `${id}.1.${signature}`,
      `${two.id.slice(4)}.0.${signature}`,
      `${id}.0.${'A'.repeat(22)}`,
      `${id}.0.`,
      'yes',
      ofOther,
    ]
    for (const data of forgeries) {
      const query = telegram.pressRaw(ana, message, data)
      expect(await shown(telegram, query)).toMatchObject({
        alert: true,
        text: expect.stringMatching(/not a button of Beckon/),
      })
    }
    await expectPending(node.hub, one.id)
    await expectPending(node.hub, two.id)
    // A code for one bot, sent to another.
    telegram.write(mallory, `/pair ${(await node.hub.pairings.start('other')).code}`)
    await said(telegram, mallory.id, /code is wrong/)
    expect(await node.hub.pairings.list()).toHaveLength(1)
  })

  it('tells the second who was first, and takes an update that comes again once', async () => {
    const database = await fresh()
    const { telegram, node } = await openBot(database)
    await pair(node, telegram)
    const { id } = await node.hub.raise(shipIt)
    const message = await asked(telegram, 'Ship it')
    const data = message.reply_markup?.inline_keyboard[1]?.[0]?.callback_data ?? ''
    await node.hub.answer(id, { value: 'yes', by: 'bea', channel: 'web' })
    const query = telegram.pressRaw(ana, message, data)
    expect(await shown(telegram, query)).toMatchObject({ text: 'Too late, nothing was changed. Answered by bea.' })
    expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'bea', answers: [{ selected: ['yes'] }] })
    await telegram.until(() => /Answered by bea/.test(message.text), 'the message says who answered')
  })

  it('takes a yes or a no to an action that is not dangerous, and none to others', async () => {
    const { telegram, node } = await openBot(await fresh())
    await pair(node, telegram)
    const approve = (command: string) => node.hub.raise({ kind: 'approval', action: { command, cwd: '/work' } })
    const yes = await approve('apt-get remove jq')
    const message = await asked(telegram, 'apt-get remove jq')
    telegram.press(ana, message, 'yes')
    expect(await outcomeOf(node.hub, yes.id)).toMatchObject({ status: 'answered', by: 'ana', channel: 'telegram' })
    expect(await node.hub.use(yes.id)).toMatchObject({ request: { id: yes.id } })
    const no = await approve('apt-get remove ripgrep')
    telegram.press(ana, await asked(telegram, 'ripgrep'), 'no')
    expect(await outcomeOf(node.hub, no.id)).toMatchObject({ status: 'declined', by: 'ana' })

    // A button that was made before such actions were recognized as dangerous, say.
    const high = await approve('git push --force origin main')
    const shownHigh = await asked(telegram, 'Approve git')
    expect(labels(shownHigh)).toEqual(['Open in Beckon'])
    const [bot] = await node.hub.chat.targets()
    const button = await makeButton(bot?.bot ?? '', { request: high.id, option: 0 }, node.hub.chat.sign)
    const query = telegram.pressRaw(ana, shownHigh, button)
    expect((await shown(telegram, query)).text).toMatch(/has to be answered on its page/)
    await expectPending(node.hub, high.id)
  })

  it('accepts a code once, for ten minutes, and from a private chat', async () => {
    const { telegram, node } = await openBot(await fresh())
    const { code } = await node.hub.pairings.start('telegram')
    telegram.write(ana, `/pair ${code}`, { id: -500, type: 'supergroup' })
    await said(telegram, -500, /private chat/)
    telegram.write(ana, `pair ${code?.toLowerCase()}`)
    await said(telegram, ana.id, /answers as ana/)
    telegram.write(mallory, `/pair ${code}`)
    await said(telegram, mallory.id, /was used before/)
    const later = await node.hub.pairings.start('telegram')
    node.pass(10 * 60_000)
    telegram.write({ ...mallory, id: 7 }, `/pair ${later.code}`)
    await said(telegram, 7, /older than 10 minutes/)
    expect(await node.hub.pairings.list()).toMatchObject([{ account: '@ana_t' }])
  })

  it('takes no press of an account after its pairing, or the token behind it, has ended', async () => {
    const { telegram, node } = await openBot(await fresh())
    const { hub } = node
    await pair(node, telegram)
    const { token, secret } = await hub.tokens.create({ scope: 'answer', name: 'bea' })
    const grant = await hub.access.identify(secret)
    if (!grant) throw new Error('no grant')
    const { code } = await hub.as(grant).pairings.start('telegram')
    telegram.write(bea, `/pair ${code}`)
    await said(telegram, bea.id, /answers as bea/)
    expect(await hub.as(grant).pairings.list()).toMatchObject([{ person: 'bea' }])
    const { id } = await hub.raise(shipIt)
    const message = await asked(telegram, 'Ship it')
    const [pairing] = await hub.pairings.list()
    await expect(hub.as(grant).pairings.remove(pairing?.id ?? '')).rejects.toMatchObject({ code: 'not_found' })
    const unused = await hub.as(grant).pairings.start('telegram')
    await hub.tokens.revoke(token.id)
    expect((await shown(telegram, telegram.press(bea, message, 'yes'))).text).toMatch(/not paired/)
    telegram.write(mallory, `/pair ${unused.code}`)
    await said(telegram, mallory.id, /code is wrong/)
    expect(await hub.pairings.remove(pairing?.id ?? '')).toMatchObject({ person: 'ana' })
    expect((await shown(telegram, telegram.press(ana, message, 'yes'))).text).toMatch(/not paired/)
    await expectPending(hub, id)
    expect(await hub.pairings.list()).toEqual([])
  })

  it('writes nothing to a person whose token has expired, and takes no press of them', async () => {
    const { telegram, node } = await openBot(await fresh())
    const { hub } = node
    const { secret } = await hub.tokens.create({ scope: 'answer', name: 'bea', expires: 3_600_000 })
    const grant = await hub.access.identify(secret)
    if (!grant) throw new Error('no grant')
    telegram.write(bea, `/pair ${(await hub.as(grant).pairings.start('telegram')).code}`)
    await said(telegram, bea.id, /answers as bea/)
    const { id } = await hub.raise(shipIt)
    const message = await said(telegram, bea.id, /Ship it/)
    node.pass(3_600_000)
    expect((await shown(telegram, telegram.press(bea, message, 'yes'))).text).toMatch(/not paired/)
    await expectPending(hub, id)
    expect(await hub.pairings.list()).toEqual([])
    await expect(hub.targets.test('telegram')).rejects.toThrow(/nobody is paired/)
    await pair(node, telegram)
    await hub.raise({ questions: [{ question: 'Delete it?', options: ['yes', 'no'] }] })
    await asked(telegram, 'Delete it')
    expect(telegram.messages.filter(({ chat, text }) => chat.id === bea.id && /Delete it/.test(text))).toEqual([])
  })

  it('settles other presses while Telegram is slow to take a reply, and replies again after a pause', async () => {
    const { telegram, node } = await openBot(await fresh())
    await pair(node, telegram)
    const slow = Promise.withResolvers<ReturnType<typeof refused>>()
    telegram.refuseNext('answerCallbackQuery', slow.promise)
    const first = await node.hub.raise(shipIt)
    const query = telegram.press(ana, await asked(telegram, 'Ship it'), 'yes')
    await outcomeOf(node.hub, first.id)
    const second = await node.hub.raise({ questions: [{ question: 'Delete it?', options: ['yes', 'no'] }] })
    telegram.press(ana, await asked(telegram, 'Delete it'), 'no')
    expect(await outcomeOf(node.hub, second.id)).toMatchObject({ answers: [{ selected: ['no'] }] })
    slow.resolve(refused(429, 'Too Many Requests: retry after 0', { retry_after: 0 }))
    expect(await shown(telegram, query)).toMatchObject({ text: 'You answered: yes' })
  })

  it('has one server at a time read the updates of a bot, and hands over when it stops', async () => {
    const database = await fresh()
    const { telegram, node } = await openBot(database)
    await pair(node, telegram)
    const other = await openNode(database)
    other.start()
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) {
      ids.push((await node.hub.raise({ questions: [{ question: `Step ${i}?`, options: ['yes', 'no'] }] })).id)
      telegram.press(ana, await asked(telegram, `Step ${i}`), 'yes')
    }
    for (const id of ids) expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'ana' })
    expect(telegram.conflicts).toBe(0)
    await node.close()
    const { id } = await other.hub.raise(shipIt)
    telegram.press(ana, await asked(telegram, 'Ship it'), 'no')
    expect(await outcomeOf(other.hub, id)).toMatchObject({ answers: [{ selected: ['no'] }] })
    expect(telegram.conflicts).toBe(0)
    const events = await other.hub.events({ limit: 1_000 })
    expect(events.filter(({ type }) => type === 'request.answered')).toHaveLength(6)
  })

  it('goes on after refusals: another program reads the bot, too many calls, a server error', async () => {
    const { telegram, node } = await openBot(await fresh())
    await pair(node, telegram)
    telegram.refuseNext(
      'getUpdates',
      refused(409, 'Conflict: terminated by other getUpdates request', { retry_after: 0 }),
    )
    telegram.refuseNext('getUpdates', refused(429, 'Too Many Requests: retry after 0', { retry_after: 0 }))
    telegram.refuseNext('sendMessage', refused(429, 'Too Many Requests: retry after 0', { retry_after: 0 }))
    telegram.refuseNext('getUpdates', refused(502, 'Bad Gateway', { retry_after: 0 }))
    telegram.write(mallory, 'wakes the poll up')
    const { id } = await node.hub.raise(shipIt)
    telegram.press(ana, await asked(telegram, 'Ship it'), 'yes')
    expect(await outcomeOf(node.hub, id)).toMatchObject({ by: 'ana' })
    expect(node.logged.join('\n')).toMatch(/only one program can read the updates of a bot/)
    expect(node.logged.join('\n')).not.toContain(telegram.token)
  })

  it('refuses to pair with a wrong token, in words and without the token', async () => {
    const telegram = await startFakeTelegram()
    const { hub } = await openNode(await fresh())
    await hub.targets.add({ kind: 'telegram', url: telegram.url, secret: '1:wrong' })
    const refusal = hub.pairings.start('telegram')
    await expect(refusal).rejects.toThrow(/Telegram: Unauthorized.*Check its token/)
    await expect(refusal).rejects.not.toThrow(/1:wrong/)
  })
})
