import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { AskInput, HubApi, Inbox, InboxFilter } from '../../src/protocol/index.ts'
import type { HubUnderTest } from './hub-contract.ts'

const minute = 60_000
const destroy = {
  kind: 'approval',
  action: { command: 'terraform destroy -auto-approve', cwd: '/srv/shop', digest: 'd1' },
  agent: { name: 'deployer', cwd: '/srv/shop' },
} satisfies AskInput

/** The part of every HubApi's contract that is about the inbox of a person. */
export function inboxContract(begin: () => Promise<HubUnderTest>): void {
  async function start() {
    const test = await begin()
    return { ...test, asker: await test.open(), person: await test.open({ user: 'person' }) }
  }

  it('puts what is dangerous or about to be decided first, then the newest, and counts everything', async () => {
    const { asker, person, advance } = await start()
    const critical = await asker.raise(destroy)
    const due = await ask(asker, 'Use the default soon?', { timeout: '9m', onTimeout: 'default', default: 'yes' })
    const reminded = await ask(asker, 'Only a reminder is near?', { timeout: '9m', onTimeout: 'remind' })
    const later = await ask(asker, 'Much later?', { timeout: '1h', onTimeout: 'fail' })
    const newest = await ask(asker, 'Which colour?', { agent: { name: 'painter', cwd: '/srv/shop' } })
    const inbox = await person.inbox()
    expect(ids(inbox)).toEqual([critical.id, due, newest, later, reminded])
    expect(inbox).toMatchObject({
      counts: { urgent: 2, waiting: 5, snoozed: 0 },
      found: 5,
      next: null,
      projects: [
        { directory: '/work', count: 3, urgent: 1 },
        { directory: '/srv/shop', count: 2, urgent: 1 },
      ],
    })
    expect(inbox.agents.find(({ name }) => name === 'painter')).toEqual({ name: 'painter', count: 1, urgent: 0 })
    expect(inbox.rows[0]).toEqual({
      id: critical.id,
      kind: 'approval',
      title: 'terraform destroy -auto-approve',
      agent: 'deployer',
      directory: '/srv/shop',
      run: null,
      session: null,
      urgent: true,
      severity: 'critical',
      type: null,
      parts: 1,
      createdAt: critical.createdAt,
      deadline: null,
      onTimeout: critical.onTimeout,
      lastMessage: null,
      snoozedUntil: null,
      alike: null,
      folded: 0,
    })
    expect(ids(await person.inbox({ view: 'urgent' }))).toEqual([critical.id, due])
    advance(51 * minute)
    expect(ids(await person.inbox({ view: 'urgent' }))).toContain(later)
  })

  it('filters by project, agent, run, kind and age', async () => {
    const { asker, person, advance } = await start()
    const { id: critical } = await asker.raise(destroy)
    advance(10 * minute)
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const inRun = await ask(asker, 'In the run?', { run: run.id })
    const other = await ask(asker, 'Elsewhere?', { agent: { name: 'helper', cwd: '/home' } })
    const filtered = async (filter: InboxFilter) => {
      const inbox = await person.inbox(filter)
      expect(inbox).toMatchObject({ counts: { waiting: 3 }, found: inbox.rows.length })
      return ids(inbox)
    }
    expect(await filtered({ project: '/srv/shop' })).toEqual([critical])
    expect(await filtered({ agent: 'helper' })).toEqual([other])
    expect(await filtered({ run: run.id })).toEqual([inRun])
    expect(await filtered({ kind: 'approval' })).toEqual([critical])
    expect(await filtered({ olderThan: 5 * minute })).toEqual([critical])
    expect(await filtered({ kind: 'question', agent: 'deployer' })).toEqual([])
  })

  it('finds requests with all words, wherever they are, in upper or lower case', async () => {
    const { asker, person } = await start()
    const asked: Record<string, string> = {
      destroy: (await asker.raise(destroy)).id,
      second: await ask(asker, 'First?', {
        questions: [{ question: 'First?' }, { question: 'Is the Zebra 100% right, "really"?' }],
      }),
      context: await ask(asker, 'Something else?', { context: 'Because of the ÜBERGRÖSSE of the file_name' }),
      session: await ask(asker, 'In a session?', { session: 'sess-Quokka' }),
      options: await ask(asker, 'Take it?', { questions: [{ question: 'Take it?', options: ['yes', 'no'] }] }),
    }
    const find = async (search: string) =>
      ids(await person.inbox({ search })).map(id => Object.keys(asked).find(name => asked[name] === id))
    expect(await find('TERRAFORM shop')).toEqual(['destroy'])
    expect(await find('terraform zebra')).toEqual([])
    expect(await find('zebra')).toEqual(['second'])
    expect(await find('100% "REALLY"')).toEqual(['second'])
    expect(await find('übergrösse file_')).toEqual(['context'])
    expect(await find('quokka')).toEqual(['session'])
    expect(await find('deployer')).toEqual(['destroy'])
    expect(await find(asked.options as string)).toEqual(['options'])
    // The names of fields are not what anybody has asked.
    expect(await find('multiselect')).toEqual([])
    expect(await find('options')).toEqual([])
    expect(await find('  ')).toHaveLength(5)
    expect((await person.inbox({ search: 'zebra' })).found).toBe(1)
  })

  it('folds no request that is talked about, or that a file was attached to later', async () => {
    const { asker, person } = await start()
    const alike = []
    for (let n = 1; n <= 6; n += 1) alike.push(await ask(asker, `Keep screenshot ${n}?`, { canReply: true }))
    expect((await person.inbox()).rows).toHaveLength(1)
    await asker.attachments.add(alike[1] ?? '', { name: 'screen.txt', data: Buffer.from('seen') })
    await person.messages.send(alike[0] ?? '', { text: 'Of which page?' })
    const { rows } = await person.inbox()
    expect(rows.map(({ id, folded }) => [id, folded])).toEqual([
      [alike[5], 3],
      [alike[1], 0],
      [alike[0], 0],
    ])
  })

  it('folds more than three alike of one agent into the newest, and lists them on demand', async () => {
    const { asker, person } = await start()
    const lint: string[] = []
    for (let i = 0; i < 6; i += 1) lint.unshift(await ask(asker, `Fix the warning in src/file${i}.ts:${i}2?`))
    const few: string[] = []
    for (let i = 0; i < 3; i += 1) few.unshift(await ask(asker, `Rename column ${i}?`))
    const dangerous: string[] = []
    for (let i = 0; i < 5; i += 1) dangerous.unshift((await asker.raise(destroy)).id)
    const inbox = await person.inbox()
    expect(ids(inbox)).toEqual([...dangerous, ...few, lint[0]])
    expect(inbox.rows.at(-1)).toMatchObject({ folded: 5 })
    expect(inbox).toMatchObject({ found: 14, counts: { waiting: 14, urgent: 5 } })
    const alike = inbox.rows.at(-1)?.alike as string
    expect(ids(await person.inbox({ alike }))).toEqual(lint)
    expect(ids(await person.inbox({ search: 'file3' }))).toHaveLength(1)
  })

  it('folds nothing that differs where its title does not say so: descriptions, directory, files, a long end', async () => {
    const { asker, person } = await start()
    const raise = (input: object) => asker.raise({ key: randomUUID(), ...input } as AskInput)
    const questions = [{ question: 'Apply the patch?', options: ['yes', 'no'] }]
    const agent = { name: 'patcher', cwd: '/work' }
    const filler = 'and then '.repeat(40)
    for (let i = 0; i < 4; i += 1) {
      const described = [{ label: 'yes', description: `drops table ${i}` }, 'no']
      await raise({ agent, questions: [{ question: 'Go on?', options: described }] })
      await raise({ agent: { ...agent, cwd: `/srv/${i}` }, questions })
      await raise({ agent, questions: [{ question: `${filler} delete ${i}?`, options: ['yes', 'no'] }] })
      const { id } = await raise({ agent, questions: [{ question: 'Does it look right?', options: ['yes', 'no'] }] })
      await asker.attachments.add(id, { name: 'shot.txt', data: Buffer.from(`shot ${i}`) })
    }
    const { rows } = await person.inbox()
    expect(rows).toHaveLength(16)
    expect(rows.filter(({ folded }) => folded > 0)).toEqual([])
  })

  it('hides what a person snoozed from that person alone, until its time or an urgent deadline', async () => {
    const { asker, person, advance, open } = await start()
    const other = await open({ user: 'other' })
    const id = await ask(asker, 'Later?')
    const due = await ask(asker, 'Before one o’clock?', { timeout: '1h', onTimeout: 'fail' })
    const { deadline } = await person.get(due)
    const until = await inAnHourAndAHalf(person)
    await person.snooze(id, { until })
    expect(await person.snooze(due, { until })).toMatchObject({ id: due, status: 'pending', deadline })
    expect(await person.inbox()).toMatchObject({
      rows: [],
      counts: { urgent: 0, waiting: 0, snoozed: 2 },
      projects: [],
    })
    const snoozed = await person.inbox({ view: 'snoozed' })
    expect(ids(snoozed)).toEqual([due, id])
    expect(snoozed.rows[0]).toMatchObject({ snoozedUntil: until })
    expect(ids(await other.inbox())).toEqual([due, id])
    const events = (await person.events()).filter(({ type }) => type === 'request.snoozed')
    expect(events).toMatchObject([{ request: id, data: { by: 'person', until } }, { request: due }])

    advance(51 * minute)
    expect(ids(await person.inbox())).toEqual([due])
    await person.snooze(id, { until: null })
    expect(ids(await person.inbox())).toEqual([due, id])
    await person.snooze(id, { until })
    advance(60 * minute)
    expect(ids(await person.inbox())).toContain(id)
  })

  it('does not snooze what is critical, settled, or decided in a moment', async () => {
    const { asker, person } = await start()
    const until = await inAnHourAndAHalf(person)
    const { id: critical } = await asker.raise(destroy)
    await expect(person.snooze(critical, { until })).rejects.toMatchObject({ code: 'not_allowed' })
    const due = await ask(asker, 'Soon?', { timeout: '9m', onTimeout: 'fail' })
    await expect(person.snooze(due, { until })).rejects.toMatchObject({ code: 'not_allowed' })
    const settled = await ask(asker, 'Settled?')
    await person.answer(settled, { value: 'yes' })
    await expect(person.snooze(settled, { until })).rejects.toMatchObject({ code: 'not_allowed' })
    const past = '2020-01-01T00:00:00Z'
    await expect(person.snooze(due, { until: past })).rejects.toMatchObject({ code: 'invalid' })
    await expect(person.snooze('req_none', { until })).rejects.toMatchObject({ code: 'not_found' })
    expect((await person.inbox()).counts).toEqual({ urgent: 2, waiting: 2, snoozed: 0 })
  })

  it('neither doubles nor loses a row between pages, whatever is asked, settled or comes due meanwhile', async () => {
    const { asker, person, advance } = await start()
    for (let i = 0; i < 3; i += 1) await asker.raise(destroy)
    const due = await ask(asker, 'Due in a while?', { timeout: '12m', onTimeout: 'fail' })
    const alike: string[] = []
    for (let i = 0; i < 5; i += 1) alike.push(await ask(asker, `Delete file ${i}?`))
    const words = ['apple', 'pear', 'plum', 'fig', 'kiwi', 'lime', 'date']
    const single: string[] = []
    for (const word of words) single.unshift(await ask(asker, `Buy a ${word}?`))
    const whole = ids(await person.inbox())
    expect(whole).toHaveLength(3 + 7 + 1 + 1)

    const first = await person.inbox({ limit: 5 })
    // One of the first page and one that was not read yet are settled; more come, also alike ones; and time passes.
    await person.answer(single[0] as string, { value: 'yes' })
    await person.answer(single[4] as string, { value: 'no' })
    await ask(asker, 'Delete file 99?')
    await asker.raise(destroy)
    advance(3 * minute)
    const rest = [first]
    for (let next = first.next; next !== null; next = rest.at(-1)?.next ?? null) {
      rest.push(await person.inbox({ limit: 5, after: next }))
    }
    expect(rest.flatMap(ids)).toEqual(whole.filter(id => id !== single[4]))
    expect(rest.flatMap(ids)).toContain(due)
    expect(rest.flatMap(page => page.rows).find(row => row.id === alike[4])).toMatchObject({ folded: 4 })
    await expect(person.inbox({ after: 'nonsense' })).rejects.toMatchObject({ code: 'invalid' })
  })
}

async function ask(hub: HubApi, question: string, more: Record<string, unknown> = {}): Promise<string> {
  const { default: defaultAnswer, questions = [{ question, default: defaultAnswer }], ...rest } = more
  return (await hub.raise({ questions, ...rest } as AskInput)).id
}

function ids(inbox: Inbox): string[] {
  return inbox.rows.map(({ id }) => id)
}

/** By the clock of the hub, which a test may have moved. */
async function inAnHourAndAHalf(hub: HubApi): Promise<string> {
  const { id, createdAt } = await hub.raise({ questions: [{ question: 'What time is it?' }] })
  await hub.cancel(id)
  return new Date(Date.parse(createdAt) + 90 * minute).toISOString()
}
