import { afterEach, expect, it } from 'vitest'
import type { AskInput, HubApi } from '../../src/protocol/index.ts'
import type { HubUnderTest } from './hub-contract.ts'

const day = 86_400_000
const question = { question: 'Which database?', options: ['SQLite', 'PostgreSQL'], allowOther: true }
const database = { questions: [question] } satisfies AskInput

/** What every HubApi knows about earlier answers. */
export function earlierContract(begin: () => Promise<HubUnderTest>): void {
  const open: HubApi[] = []

  async function openTwoHubs() {
    const test = await begin()
    const [asker, person] = [await test.open(), await test.open({ user: 'person' })]
    open.push(asker, person)
    return { ...test, asker, person, askAgain: (input: AskInput) => askAgain(asker, input) }
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map(hub => hub.close()))
  })

  it('shows the last three answers of people to the same question in the same project, newest first', async () => {
    const { person, askAgain, advance } = await openTwoHubs()
    const given: string[] = []
    for (const value of ['SQLite', 'PostgreSQL', 'SQLite', 'PostgreSQL']) {
      const { id } = await askAgain(database)
      given.unshift(id)
      await person.answer(id, { value })
      advance(1_000)
    }
    const declined = await askAgain(database)
    await person.decline(declined.id, { reason: 'neither' })
    const { id } = await askAgain(database)
    const { earlier } = await person.earlier(id)
    expect(earlier.map(one => one.id)).toEqual(given.slice(0, 3))
    expect(earlier.map(({ value }) => value)).toEqual(['PostgreSQL', 'SQLite', 'PostgreSQL'])
    expect(earlier[0]).toEqual({
      id: given[0],
      answers: [{ id: 'q1', selected: ['PostgreSQL'], text: null, note: null }],
      value: 'PostgreSQL',
      by: 'person',
      channel: expect.any(String),
      at: expect.any(String),
    })
    expect(await person.answer(id, { answers: earlier[1]?.answers })).toMatchObject({ won: true })
    expect((await person.earlier(id)).earlier.map(one => one.id)).toEqual(given.slice(0, 3))
  })

  it('finds the same question in another spelling, and gives its answer in the words of the present options', async () => {
    const { person, askAgain } = await openTwoHubs()
    const first = await askAgain(database)
    await person.answer(first.id, { value: 'SQLite' })
    const again = await askAgain({
      questions: [
        {
          id: 'db',
          question: ' which  DATABASE?',
          options: ['sqlite', 'postgresql'],
          allowOther: true,
          header: 'Store',
        },
      ],
    })
    expect((await person.earlier(again.id)).earlier).toMatchObject([
      { id: first.id, answers: [{ id: 'db', selected: ['sqlite'] }], value: 'sqlite' },
    ])
  })

  it('shows nothing of another project, another question or other options, and nothing for other kinds', async () => {
    const { person, askAgain } = await openTwoHubs()
    await person.answer((await askAgain(database)).id, { value: 'SQLite' })
    const others: AskInput[] = [
      { ...database, agent: { cwd: '/elsewhere' } },
      { questions: [{ ...question, question: 'Which queue?' }] },
      { questions: [{ ...question, options: ['SQLite', 'MySQL'] }] },
      { questions: [{ ...question, multiSelect: true }] },
    ]
    for (const input of others) expect((await person.earlier((await askAgain(input)).id)).earlier).toEqual([])
    const kinds: AskInput[] = [
      { kind: 'approval', action: { command: 'make', cwd: '/work' } },
      { kind: 'dependency', type: 'service', name: 'db', description: 'An address' },
      { kind: 'review', title: 'Done?' },
    ]
    for (const input of kinds)
      expect(await person.earlier((await askAgain(input)).id)).toEqual({ earlier: [], always: false })
    await expect(person.earlier('req_none')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('answers the same ask from now on by the rule that a person made of an answer', async () => {
    const { asker, person, askAgain, advance } = await openTwoHubs()
    const first = await askAgain({ ...database, context: 'For tests.' })
    expect(await person.earlier(first.id)).toEqual({ earlier: [], always: true })
    const { request } = await person.answer(first.id, { value: 'SQLite', note: 'quick', always: { expires: '7d' } })
    expect(request.outcome).toMatchObject({ status: 'answered', always: 'answer', note: 'quick' })
    const [rule] = await person.rules.list()
    expect(rule).toMatchObject({
      scope: 'answer',
      question: 'Which database?',
      value: 'SQLite',
      cwd: '/work',
      request: first.id,
      by: 'person',
    })
    expect(Date.parse(rule?.expiresAt ?? '') - Date.parse(rule?.at ?? '')).toBe(7 * day)

    const second = await askAgain({ ...database, context: 'For tests.' })
    expect(second.outcome).toMatchObject({
      status: 'answered',
      answers: [{ id: 'q1', selected: ['SQLite'], text: null, note: null }],
      by: 'person',
      channel: 'rule',
      note: `answered by ${rule?.id}`,
    })
    const events = (await person.events()).filter(event => event.request === second.id)
    expect(events.map(({ type }) => type)).toEqual(['request.created', 'request.answered'])
    expect(await asker.ask({ ...database, context: 'For tests.' })).toMatchObject({ value: 'SQLite', channel: 'rule' })

    advance(7 * day)
    const late = await askAgain({ ...database, context: 'For tests.' })
    expect(late.status).toBe('pending')
    expect((await person.earlier(late.id)).earlier).toMatchObject([{ id: first.id, by: 'person' }])
    expect(await person.rules.list()).toEqual([])
  })

  it('asks a person again once the rule is removed, and keeps its trace', async () => {
    const { person, askAgain } = await openTwoHubs()
    const two = [await askAgain(database), await askAgain(database)]
    for (const [i, { id }] of two.entries()) await person.answer(id, { value: i + 1, always: {} })
    // The second answer replaced the first: no forgotten rule comes back.
    const [rule, ...others] = await person.rules.list()
    expect([rule, others]).toMatchObject([{ value: 'PostgreSQL' }, []])
    expect((await askAgain(database)).outcome).toMatchObject({ answers: [{ selected: ['PostgreSQL'] }] })
    expect(await person.rules.remove(rule?.id ?? '')).toMatchObject({ id: rule?.id, removedBy: 'person' })
    expect((await askAgain(database)).status).toBe('pending')
    expect(await person.rules.list()).toEqual([])
    expect(await person.rules.list({ all: true })).toHaveLength(2)
  })

  it('makes no rule of a question that comes with another context, nor of another kind', async () => {
    const { person, askAgain } = await openTwoHubs()
    await person.answer((await askAgain({ ...database, context: 'Ten users' })).id, { value: 'SQLite' })
    const { id } = await askAgain({ ...database, context: 'Ten million users' })
    expect(await person.earlier(id)).toMatchObject({ earlier: [{ value: 'SQLite' }], always: false })
    const kinds: [AskInput, string][] = [
      [{ ...database, context: 'Many users' }, 'SQLite'],
      [{ kind: 'approval', action: { command: 'make', cwd: '/work' } }, 'yes'],
      [{ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'A key' }, 'sk-0123456789'],
      [{ kind: 'review', title: 'Done?' }, 'approve'],
    ]
    for (const [input, value] of kinds) {
      const asked = await askAgain(input)
      const refused = person.answer(asked.id, { value, always: {} })
      await expect(refused).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'always' }] })
      expect((await person.get(asked.id)).status).toBe('pending')
    }
    expect(await person.rules.list({ all: true })).toEqual([])
  })
}

let asked = 0

/** Each is an ask of its own. */
function askAgain(hub: HubApi, input: AskInput) {
  asked += 1
  return hub.raise({ ...input, key: `ask ${asked}` })
}
