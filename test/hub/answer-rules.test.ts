import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { bindingOf } from '../../src/hub/answer-rules.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import type { AskInput, Attachment, HubApi } from '../../src/protocol/index.ts'
import type { RequestRecord } from '../../src/store/records.ts'
import { databases, testKey } from '../setup/databases.ts'
import { sampleRequest } from '../store/samples.ts'

const options = [
  { label: 'SQLite', description: 'one file', preview: 'a' },
  { label: 'PostgreSQL', description: 'a server', preview: 'b' },
]
const question = { question: 'Which database?', header: 'Store', options, default: 'SQLite' }
const database = { questions: [question], context: 'For tests.', agent: { name: 'claude', cwd: '/work' } }

const others: Record<string, AskInput> = {
  question: withQuestion({ question: 'Which database ?' }),
  'the case of the question': withQuestion({ question: 'which database?' }),
  header: withQuestion({ header: 'Database' }),
  'the order of options': withQuestion({ options: options.toReversed() }),
  'one more option': withQuestion({ options: [...options, 'MySQL'] }),
  'a label': withQuestion({ options: options.map(one => ({ ...one, label: `${one.label}!` })), default: 'SQLite!' }),
  'a description': withQuestion({ options: options.map(one => ({ ...one, description: 'fast' })) }),
  'a preview': withQuestion({ options: options.map(one => ({ ...one, preview: 'fast' })) }),
  default: withQuestion({ default: 'PostgreSQL' }),
  'no default': withQuestion({ default: null }),
  'several choices': withQuestion({ multiSelect: true }),
  'text of the own': withQuestion({ allowOther: true }),
  'one more question': { ...database, questions: [question, { question: 'Why?' }] },
  context: { ...database, context: 'For production.' },
  'no context': { ...database, context: null },
  'a file': { ...database, attachments: [{ name: 'shot.txt', data: Buffer.from('seen').toString('base64') }] },
  'agent name': { ...database, agent: { ...database.agent, name: 'codex' } },
  directory: { ...database, agent: { ...database.agent, cwd: '/work/sub' } },
}

describe.each(databases)('a rule that answers, on $name', ({ prepared }) => {
  const open: Hub[] = []

  afterEach(async () => {
    await Promise.all(open.splice(0).map(hub => hub.close()))
  })

  async function begin() {
    const file = await prepared()
    const openAs = async (user: string) => {
      const hub = await openLocalHub({
        database: file,
        env: { BECKON_KEY: testKey },
        caller: { user, directory: '/work' },
        sweeps: false,
      })
      open.push(hub)
      return hub
    }
    const [asker, person] = [await openAs('me'), await openAs('person')]
    const { id } = await asker.raise(database)
    await person.answer(id, { value: 'SQLite', always: {} })
    await asker.confirmDelivery(id)
    return { openAs, asker, person }
  }

  it('answers nothing that differs in anything that the person saw, or in who asked', async () => {
    const { openAs, asker } = await begin()
    for (const [what, input] of Object.entries(others))
      expect([what, (await asker.raise(input)).status]).toEqual([what, 'pending'])
    const other = await openAs('other')
    expect((await other.raise(database)).status).toBe('pending')
    const { tokens, as, access } = asker
    const { secret } = await tokens.create({ name: 'me', scope: 'ask' })
    const grant = await access.identify(secret)
    if (!grant) throw new Error('no grant')
    expect((await as(grant).raise(database)).status).toBe('pending')
    expect(await asker.ask({ ...database, timeout: '1h', session: 'another' })).toMatchObject({ channel: 'rule' })
  })

  it('answers in a run for the one who started it, and not in another directory', async () => {
    const { asker } = await begin()
    const start = async (cwd: string) => (await asker.runs.start({ name: 'r', command: ['claude'], cwd })).id
    expect((await asker.raise({ ...database, run: await start('/work') })).outcome).toMatchObject({ channel: 'rule' })
    expect((await asker.raise({ ...database, run: await start('/elsewhere') })).status).toBe('pending')
  })

  it('is read by no guard', async () => {
    const { asker } = await begin()
    const approval = { kind: 'approval', action: { command: 'git stash drop', cwd: '/work' } } satisfies AskInput
    const { id } = await asker.raise(approval)
    const [rule] = await asker.rules.list()
    await expect(asker.allowByRule(id, rule?.id ?? '')).rejects.toMatchObject({ code: 'not_granted' })
  })

  it('is not applied after its removal has returned, however many ask meanwhile', async () => {
    const { asker, person } = await begin()
    const [rule] = await person.rules.list()
    let removed = false
    const wrong: string[] = []
    const ask = async (hub: HubApi, i: number) => {
      for (let n = 0; n < 10; n += 1) {
        const wasRemoved = removed
        const { id, outcome } = await hub.raise({ ...database, key: `${i}-${n}` })
        if (wasRemoved && outcome) wrong.push(id)
      }
    }
    const remove = async () => {
      await person.rules.remove(rule?.id ?? '')
      removed = true
    }
    await Promise.all([...[0, 1, 2, 3].map(i => ask(i % 2 ? asker : person, i)), remove()])
    expect(wrong).toEqual([])
    // Settled before the removal, or not at all.
    const gone = Date.parse((await person.rules.list({ all: true }))[0]?.removedAt ?? '')
    const { requests } = await person.list({ status: 'answered' })
    const late = requests.filter(({ outcome }) => outcome?.channel === 'rule' && Date.parse(outcome.at) > gone)
    expect(late).toEqual([])
    expect((await asker.raise({ ...database, key: 'last' })).status).toBe('pending')
  })
})

it('binds a rule to every part of the ask', () => {
  const text = fc.constantFrom('', 'a', 'b', 'a b', '가', '","')
  const file = fc.record({ id: text, name: text, type: text, size: fc.nat(3), hash: text })
  const parts = {
    question: text,
    header: text,
    label: text,
    description: text,
    default: fc.option(text),
    context: fc.option(text),
    attachments: fc.array(file, { maxLength: 2 }),
    agent: text,
    cwd: text,
    host: text,
    user: text,
    token: fc.option(text),
    directory: text,
  }
  const ask = fc.record(parts)
  type Drawn = typeof ask extends fc.Arbitrary<infer Value> ? Value : never
  const seen = ({ attachments, user, token, ...rest }: Drawn) =>
    JSON.stringify([rest, attachments.map(({ hash }: Attachment) => hash), token === null ? { user } : { token }])
  fc.assert(
    fc.property(ask, ask, (one, other) => (bind(one) === bind(other)) === (seen(one) === seen(other))),
    { numRuns: 2_000 },
  )
  // Drawn at random, two asks are hardly ever the same in all but one.
  fc.assert(
    fc.property(ask, ask, fc.constantFrom(...(Object.keys(parts) as (keyof Drawn)[])), (one, other, field) => {
      const changed = { ...one, [field]: other[field] }
      return (bind(one) === bind(changed)) === (seen(one) === seen(changed))
    }),
    { numRuns: 2_000 },
  )

  function bind({ question, header, label, description, default: usual, ...ask }: Drawn): string {
    const questions = [{ question, header, options: [{ label, description }], default: usual }]
    const { context, attachments, agent: name, cwd, host, ...asker } = ask
    const record = { body: { questions }, context, attachments, agent: { name, cwd, path: [] }, host }
    return bindingOf({ ...sampleRequest(), ...record } as RequestRecord, asker)
  }
})

function withQuestion(fields: object): AskInput {
  return { ...database, questions: [{ ...question, ...fields }] }
}
