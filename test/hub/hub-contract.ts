import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import {
  type AskInput,
  approvalLapsesAfter,
  type DraftInput,
  dependencyTypes,
  type Event,
  type HubApi,
  type Message,
} from '../../src/protocol/index.ts'
import { inboxContract } from './inbox-contract.ts'

export interface HubUnderTest {
  /** Opens a hub on the store of the test, for this caller. */
  open(caller?: { user?: string; directory?: string; agent?: string }): Promise<HubApi>
  /** Advances the clock of all hubs by this many milliseconds. */
  advance(ms: number): void
  /** Fires the deadlines that are due. */
  sweep(): Promise<void>
}

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] } satisfies AskInput
const apiKey = {
  kind: 'dependency',
  type: 'api_key',
  name: 'API_KEY',
  description: 'To call the API',
} satisfies AskInput
const approval = {
  kind: 'approval',
  // The hub computes the digest; it looks at no other.
  action: { command: 'git stash drop', cwd: '/work', digest: 'd1' },
} satisfies AskInput

const threeQuestions = {
  questions: [
    { question: 'Which?', options: ['a, b', 'c'], multiSelect: true },
    { question: 'Why?', options: ['speed', 'size'], allowOther: true },
    { question: 'Anything else?' },
  ],
} satisfies AskInput

/** The contract of every HubApi, in process or over HTTP, on any store. */
export function hubContract(begin: () => Promise<HubUnderTest>): void {
  const open: HubApi[] = []

  async function start() {
    const { open: openHub, ...rest } = await begin()
    return {
      ...rest,
      open: async (caller?: Parameters<HubUnderTest['open']>[0]) => {
        const hub = await openHub(caller)
        open.push(hub)
        return hub
      },
    }
  }

  async function openTwoHubs() {
    const test = await start()
    return { ...test, asker: await test.open(), person: await test.open({ user: 'person' }) }
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map(hub => hub.close()))
  })

  inboxContract(start)

  async function types(hub: HubApi, id: string): Promise<string[]> {
    return (await hub.events()).filter(event => event.request === id).map(event => event.type)
  }

  it("returns exactly the person's choice to the asker, with who answered and on which channel", async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    const waiting = asker.wait(id)
    const { won } = await person.answer(id, { value: 'yes', channel: 'cli', note: 'go' })
    expect(won).toBe(true)
    expect((await waiting).outcome).toMatchObject({
      status: 'answered',
      answers: [{ id: 'q1', selected: ['yes'], text: null, note: null }],
      by: 'person',
      channel: 'cli',
      note: 'go',
    })
  })

  it('stores a request before returning its id, in the documented shape', async () => {
    const { asker, person } = await openTwoHubs()
    const raised = await asker.raise({ ...shipIt, context: '# Why', key: 'k', timeout: '1h' })
    expect(raised).toEqual({
      id: expect.stringMatching(/^req_[0-9a-z]{26}$/),
      run: null,
      kind: 'question',
      status: 'pending',
      required: true,
      questions: [
        {
          id: 'q1',
          question: 'Ship it?',
          header: '',
          category: null,
          options: ['yes', 'no'].map(label => ({ label, description: '', preview: '' })),
          multiSelect: false,
          allowOther: false,
          default: null,
        },
      ],
      context: '# Why',
      agent: { name: 'script', cwd: '/work', path: [] },
      session: null,
      deadline: new Date(Date.parse(raised.createdAt) + 3_600_000).toISOString(),
      onTimeout: 'remind',
      key: 'k',
      createdAt: expect.any(String),
      settledAt: null,
      deliveredAt: null,
      usedAt: null,
      outcome: null,
      messages: [],
      canReply: false,
      attachments: [],
      // Over HTTP the machine is not known.
      place: { user: expect.any(String), host: expect.toBeOneOf([expect.any(String), null]) },
    })
    expect(await person.get(raised.id)).toEqual(raised)
  })

  it('asks, waits and confirms in one call', async () => {
    const { asker, person } = await openTwoHubs()
    const asking = asker.ask(shipIt)
    const id = await firstPending(person)
    await person.answer(id, { value: '2' })
    expect(await asking).toMatchObject({ status: 'answered', answers: [{ selected: ['no'] }] })
    expect((await person.get(id)).deliveredAt).not.toBeNull()
    expect(await types(person, id)).toEqual(['request.created', 'request.answered', 'request.delivered'])
  })

  it('refuses invalid input with the path of each field, and stores nothing', async () => {
    const { asker } = await openTwoHubs()
    const bad: [AskInput, string][] = [
      [{ questions: [] }, 'questions'],
      [{ questions: [{ question: ' ' }] }, 'questions[0].question'],
      [{ questions: [{ question: 'a\0b' }] }, 'questions[0].question'],
      [{ questions: [{ question: '\ud800' }] }, 'questions[0].question'],
      [{ questions: [{ question: 'x'.repeat(20_000) }] }, 'questions[0].question'],
      [{ questions: [{ question: 'a', options: ['x', 'x '] }] }, 'questions[0].options[1].label'],
      [{ questions: [{ question: 'a', options: ['x\0'] }] }, 'questions[0].options[0].label'],
      [{ questions: [{ question: 'a' }, { question: 'a' }] }, 'questions[1].question'],
      [
        {
          questions: [
            { question: 'a', header: 'h' },
            { question: 'b', header: 'h' },
          ],
        },
        'questions[1].header',
      ],
      [{ questions: [{ question: 'a', options: ['x'], default: 'y' }] }, 'questions[0].default'],
      [{ questions: [{ question: 'a', multiSelect: true }] }, 'questions[0].multiSelect'],
      [{ ...shipIt, timeout: -5 }, 'timeout'],
      [{ ...shipIt, timeout: '1000y' }, 'timeout'],
      [{ ...shipIt, timeout: '99999999d' }, 'timeout'],
      [{ ...shipIt, onTimeout: 'default' }, 'onTimeout'],
      [{ ...shipIt, run: 'run_none' }, 'run'],
      [{ ...shipIt, kind: 'wish' } as never, 'kind'],
      [{ ...shipIt, surprise: 1 } as never, 'surprise'],
      [{ ...apiKey, type: 'wallet' } as never, 'type'],
    ]
    for (const [input, path] of bad) {
      const error = await asker.raise(input).then(
        () => null,
        caught => caught,
      )
      expect(error, JSON.stringify(input).slice(0, 80)).toMatchObject({ code: 'invalid' })
      expect(error.details.map((problem: { path: string }) => problem.path)).toContain(path)
    }
    expect(await asker.events()).toEqual([])
  })

  it('accepts false, 0 and the empty text as values', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise({
      questions: [{ question: 'How many?', options: ['0', '5'], default: 0 as never }],
    })
    expect(await asker.get(id)).toMatchObject({ questions: [{ default: '0' }] })
    await person.answer(id, { value: 0 as never })
    expect((await asker.get(id)).outcome?.answers[0]?.selected).toEqual(['0'])
    const free = await asker.raise({ questions: [{ question: 'Suffix?' }], required: false })
    await person.answer(free.id, { value: '' })
    expect((await asker.get(free.id)).outcome).toMatchObject({ status: 'answered', answers: [{ text: '' }] })
  })

  it('refuses an empty answer to an optional question with options, and names skip', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise({ ...shipIt, required: false })
    const review = await asker.raise({ kind: 'review', title: 'Phase 2', required: false })
    const optional = [id, review.id]
    for (const id of optional) {
      for (const input of [
        { value: '' },
        { value: [] },
        { answers: [{ value: '' }] },
        { answers: [{ selected: [] }] },
      ]) {
        const refusal = { code: 'invalid', message: expect.stringContaining('skip') }
        await expect(person.answer(id, input)).rejects.toMatchObject(refusal)
      }
      expect(await types(asker, id)).toEqual(['request.created'])
      expect(await person.skip(id)).toMatchObject({ won: true, request: { status: 'skipped' } })
    }
  })

  it('changes nothing on an invalid answer or id', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    for (const input of [{ value: 'maybe' }, { value: '' }, { value: ['yes', 'no'] }, { answers: [] }, {}]) {
      await expect(person.answer(id, input)).rejects.toMatchObject({ code: 'invalid' })
    }
    await expect(person.skip(id)).rejects.toMatchObject({ code: 'invalid' })
    expect((await asker.get(id)).status).toBe('pending')
    expect(await types(asker, id)).toEqual(['request.created'])
    for (const id of ['req_none', 'req_\0', '\ud800', '']) {
      await expect(person.get(id)).rejects.toMatchObject({ code: 'not_found' })
      for (const verb of ['answer', 'skip', 'decline', 'cancel'] as const) {
        await expect(person[verb](id, {})).rejects.toMatchObject({ code: 'not_found' })
      }
    }
  })

  it('lets the first answer win: the same answer again is a replay, a different one gets the winner', async () => {
    const { asker, person, open: openHub } = await openTwoHubs()
    const late = await openHub({ user: 'latecomer' })
    const { id } = await asker.raise(shipIt)
    expect(await person.answer(id, { value: 'yes' })).toMatchObject({ won: true, replay: false })
    expect(await late.answer(id, { value: '1' })).toMatchObject({ won: false, replay: true })
    const lost = await late.answer(id, { value: 'no' })
    expect(lost).toMatchObject({ won: false, replay: false, request: { outcome: { by: 'person' } } })
    for (const verb of ['decline', 'cancel'] as const) {
      expect(await late[verb](id, { reason: 'no' })).toMatchObject({ won: false, replay: false })
    }
    // A late answer is late, even if it would have been refused.
    expect(await late.answer(id, { value: 'bogus' })).toMatchObject({ won: false, replay: false })
    expect(await late.skip(id)).toMatchObject({ won: false, replay: false })
    expect(await types(asker, id)).toEqual(['request.created', 'request.answered'])
  })

  it('distinguishes the seven outcomes', async () => {
    const { asker, person, advance, sweep } = await openTwoHubs()
    const ends: Record<string, string> = {}
    const ask = async (differs: Partial<AskInput> & object = {}) =>
      (await asker.raise({ ...shipIt, context: String(Math.random()), ...differs } as AskInput)).id
    const optional = { required: false, questions: [{ ...shipIt.questions[0], default: 'no' }] }
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    ends.answered = await ask()
    ends.declined = await ask()
    ends.cancelled = await ask()
    ends.skipped = await ask(optional as never)
    ends.defaulted = await ask({ ...optional, timeout: 1_000 } as never)
    ends.expired = await ask({ timeout: 1_000, onTimeout: 'fail' })
    ends.orphaned = await ask({ run: run.id })
    await person.answer(ends.answered, { value: 'yes' })
    await person.decline(ends.declined, { reason: 'not on a Friday' })
    await asker.cancel(ends.cancelled)
    await person.skip(ends.skipped)
    advance(1_001)
    await sweep()
    await asker.runs.change(run.id, { status: 'failed', reason: 'It crashed', exitCode: 1 })
    for (const [status, id] of Object.entries(ends)) {
      const request = await asker.get(id)
      expect(request.status).toBe(status)
      expect(request.outcome?.status).toBe(status)
      expect(await types(asker, id)).toEqual(['request.created', `request.${status}`])
    }
    const answersOf = async (status: string) => (await asker.get(ends[status] as string)).outcome?.answers
    expect(await answersOf('skipped')).toMatchObject([{ selected: ['no'] }])
    expect(await answersOf('defaulted')).toMatchObject([{ selected: ['no'] }])
    for (const status of ['declined', 'expired', 'cancelled', 'orphaned']) expect(await answersOf(status)).toEqual([])
    const channels = async (status: string) => (await asker.get(ends[status] as string)).outcome?.channel
    expect(await channels('defaulted')).toBe('policy')
    expect(await channels('expired')).toBe('policy')
    expect(await channels('skipped')).not.toBe('policy')
  })

  it('lets a deadline decide that has passed, even where nobody has fired it yet', async () => {
    const { asker, person, advance } = await openTwoHubs()
    const optional = { ...shipIt, required: false, timeout: 1_000 }
    const defaulted = await asker.raise({
      ...optional,
      questions: [{ ...shipIt.questions[0], default: 'no' }],
    } as AskInput)
    const expired = await asker.raise({ ...optional, onTimeout: 'fail', context: 'later' })
    advance(1_001)
    expect(await person.answer(defaulted.id, { value: 'yes' })).toMatchObject({
      won: false,
      replay: false,
      request: { status: 'defaulted', outcome: { channel: 'policy', answers: [{ selected: ['no'] }] } },
    })
    expect(await person.skip(expired.id)).toMatchObject({ won: false, request: { status: 'expired' } })
    expect(await types(asker, expired.id)).toEqual(['request.created', 'request.expired'])
  })

  it('does not move a deadline that has passed, even where nobody has fired it yet', async () => {
    const { asker, advance, sweep } = await openTwoHubs()
    const late = { ...shipIt, timeout: 1_000, onTimeout: 'fail' } as const
    const [moved, lifted] = [await asker.raise(late), await asker.raise({ ...late, context: 'lifted' })]
    const reminding = await asker.raise({ ...shipIt, timeout: 1_000, onTimeout: 'remind', context: 'remind' })
    advance(1_001)
    expect(await asker.reschedule(moved.id, 60_000)).toMatchObject({ status: 'expired', deadline: moved.deadline })
    expect(await asker.reschedule(lifted.id, null)).toMatchObject({ status: 'expired', deadline: lifted.deadline })
    expect((await asker.reschedule(reminding.id, 60_000)).status).toBe('pending')
    await sweep()
    for (const { id } of [moved, lifted]) expect(await types(asker, id)).toEqual(['request.created', 'request.expired'])
    expect(await types(asker, reminding.id)).toEqual(['request.created'])
  })

  it('keeps a request without a deadline pending', async () => {
    const { asker, advance, sweep } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    advance(7 * 86_400_000)
    await sweep()
    expect((await asker.get(id)).status).toBe('pending')
  })

  it('reminds of a required question after one, two and four timeouts, and still accepts an answer', async () => {
    const { asker, person, advance, sweep } = await openTwoHubs()
    const { id } = await asker.raise({ ...shipIt, timeout: 1_000_000 })
    const reminders = async () => (await types(asker, id)).filter(type => type === 'request.reminded').length
    const seen: number[] = []
    for (const step of [900_000, 100_001, 500_000, 500_000, 1_000_000, 1_000_000]) {
      advance(step)
      await sweep()
      await sweep()
      seen.push(await reminders())
    }
    expect(seen).toEqual([0, 1, 1, 2, 2, 3])
    expect(await person.answer(id, { value: 'yes' })).toMatchObject({ won: true })
  })

  it('sends one reminder for all that were missed while no process ran', async () => {
    const { asker, advance, sweep } = await openTwoHubs()
    const { id } = await asker.raise({ ...shipIt, timeout: 1_000 })
    advance(100_000)
    await sweep()
    await sweep()
    expect(await types(asker, id)).toEqual(['request.created', 'request.reminded'])
  })

  it('fires a deadline once, not early, and not if it was moved or removed', async () => {
    const { asker, advance, sweep } = await openTwoHubs()
    const deadline = { timeout: 1_000_000, onTimeout: 'fail' as const }
    const kept = await asker.raise({ ...shipIt, ...deadline, context: 'kept' })
    const moved = await asker.raise({ ...shipIt, ...deadline, context: 'moved' })
    const lifted = await asker.raise({ ...shipIt, ...deadline, context: 'lifted' })
    await asker.reschedule(moved.id, 6_000_000)
    await asker.reschedule(lifted.id, null)
    advance(900_000)
    await sweep()
    expect((await asker.get(kept.id)).status).toBe('pending')
    advance(100_001)
    await Promise.all([sweep(), sweep()])
    expect(await types(asker, kept.id)).toEqual(['request.created', 'request.expired'])
    expect((await asker.get(moved.id)).status).toBe('pending')
    advance(100_000_000)
    await sweep()
    expect((await asker.get(moved.id)).status).toBe('expired')
    expect((await asker.get(lifted.id)).status).toBe('pending')
  })

  it('refuses an invalid deadline when rescheduling', async () => {
    const { asker, sweep } = await openTwoHubs()
    const { id } = await asker.raise({ ...shipIt, timeout: 1_000 })
    for (const bad of [0, -5, Number.POSITIVE_INFINITY, Number.NaN]) {
      await expect(asker.reschedule(id, bad)).rejects.toMatchObject({ code: 'invalid' })
    }
    await sweep()
    expect((await asker.list()).requests.map(request => request.id)).toEqual([id])
  })

  it('resumes every waiter of a request', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    const waiting = [asker.wait(id), asker.wait(id), person.wait(id), asker.wait(id, { for: 60_000 })]
    await person.decline(id, { reason: 'no' })
    for (const request of await Promise.all(waiting)) expect(request.status).toBe('declined')
  })

  it('ends a wait at its timeout or signal, and leaves the request pending', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    expect((await asker.wait(id, { for: 1 })).status).toBe('pending')
    const stop = new AbortController()
    const waiting = asker.wait(id, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(asker.wait('req_none')).rejects.toMatchObject({ code: 'not_found' })
    await person.answer(id, { value: 'yes' })
    expect((await asker.wait(id)).status).toBe('answered')
  })

  it('takes answers to several questions at once, each by its id', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise({
      questions: [
        { question: 'Which?', options: ['a, b', 'c'], multiSelect: true },
        { question: 'Why?', options: ['speed'], allowOther: true },
        { question: 'Anything else?' },
      ],
    })
    await expect(person.answer(id, { answers: [{ id: 'q1', value: ['c'] }] })).rejects.toMatchObject({
      details: [{ path: 'answers.q2' }, { path: 'answers.q3' }],
    })
    await person.answer(id, {
      answers: [
        { id: 'q3', text: 'no' },
        { id: 'q1', selected: ['c', 'a, b'] },
        { id: 'q2', text: 'because', note: 'really' },
      ],
    })
    expect((await asker.get(id)).outcome?.answers).toEqual([
      { id: 'q1', selected: ['a, b', 'c'], text: null, note: null },
      { id: 'q2', selected: [], text: 'because', note: 'really' },
      { id: 'q3', selected: [], text: 'no', note: null },
    ])
  })

  it('allows unanswered questions in an optional batch', async () => {
    const { asker, person } = await openTwoHubs()
    const questions = [{ question: 'a?' }, { question: 'b?' }]
    const { id } = await asker.raise({ required: false, questions })
    await person.answer(id, { answers: [{ id: 'q2', value: 'b' }] })
    expect((await asker.get(id)).outcome?.answers).toMatchObject([{ text: null }, { text: 'b' }])
  })

  it('returns the same request for the same key, and its outcome at once when settled', async () => {
    const { asker, person, open: openHub } = await openTwoHubs()
    const keyed = { ...shipIt, key: 'deploy' }
    const { id } = await asker.raise(keyed)
    expect((await asker.raise(keyed)).id).toBe(id)
    await expect(asker.raise({ ...keyed, context: 'other' })).rejects.toMatchObject({ code: 'key_conflict' })
    await person.answer(id, { value: 'yes' })
    expect(await asker.ask(keyed)).toMatchObject({ status: 'answered' })
    expect(await asker.ask(keyed)).toMatchObject({ status: 'answered' })
    const elsewhere = await openHub({ directory: '/elsewhere' })
    expect((await elsewhere.raise(keyed)).id).not.toBe(id)
  })

  it('joins a pending or undelivered request of the same user, directory and agent', async () => {
    const { asker, person, open: openHub } = await openTwoHubs()
    const first = await asker.raise(shipIt)
    expect((await asker.raise(shipIt)).id).toBe(first.id)
    for (const caller of [{ user: 'stranger' }, { directory: '/elsewhere' }, { agent: 'codex' }]) {
      const otherHub = await openHub(caller)
      expect((await otherHub.raise(shipIt)).id).not.toBe(first.id)
    }
    await person.answer(first.id, { value: 'yes' })
    const again = await asker.raise(shipIt)
    expect(again).toMatchObject({ id: first.id, status: 'answered' })
    await asker.confirmDelivery(first.id)
    expect((await asker.raise(shipIt)).id).not.toBe(first.id)
  })

  it('does not take asks of two sessions for the same ask, and shows the session of each', async () => {
    const { asker } = await openTwoHubs()
    const first = await asker.raise({ ...shipIt, session: 'one' })
    const second = await asker.raise({ ...shipIt, session: 'two' })
    expect([first.session, second.session]).toEqual(['one', 'two'])
    expect(second.id).not.toBe(first.id)
    expect((await asker.raise({ ...shipIt, session: 'one' })).id).toBe(first.id)
    expect(await asker.get(second.id)).toMatchObject({ session: 'two' })
  })

  it('creates a new request after the same one was cancelled', async () => {
    const { asker } = await openTwoHubs()
    const first = await asker.raise(shipIt)
    await asker.cancel(first.id)
    expect(await asker.raise(shipIt)).toMatchObject({ status: 'pending', id: expect.not.stringMatching(first.id) })
  })

  it('creates new requests in a loop of a run, and replays them in order when the run restarts', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const ask = { ...shipIt, run: run.id }
    const ids: string[] = []
    for (const value of ['yes', 'no', 'yes']) {
      const { id } = await asker.raise(ask)
      expect((await asker.raise(ask)).id).toBe(id)
      await person.answer(id, { value })
      expect((await asker.raise(ask)).id).toBe(id)
      await asker.confirmDelivery(id)
      ids.push(id)
    }
    expect(new Set(ids).size).toBe(3)
    await asker.runs.start({ again: run.id, command: ['agent'], cwd: '/work' })
    const replayed: unknown[] = []
    for (let i = 0; i < 3; i += 1) {
      const request = await asker.raise(ask)
      replayed.push([request.id, request.outcome?.answers[0]?.selected[0]])
      await asker.confirmDelivery(request.id)
    }
    expect(replayed).toEqual([
      [ids[0], 'yes'],
      [ids[1], 'no'],
      [ids[2], 'yes'],
    ])
    expect((await asker.raise(ask)).status).toBe('pending')
    const delivered = (await asker.events()).filter(event => event.type === 'request.delivered')
    expect(delivered.map(event => event.request)).toEqual(ids)
  })

  it('refuses to ask in a run that has ended', async () => {
    const { asker } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    await asker.runs.change(run.id, { status: 'completed', exitCode: 0 })
    await expect(asker.raise({ ...shipIt, run: run.id })).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('orphans the pending requests of an ended run unless it can resume, and cancels those of a stopped run', async () => {
    const { asker, person } = await openTwoHubs()
    const end = async (way: object, status: 'completed' | 'stopped') => {
      const run = await asker.runs.start({ command: ['agent'], cwd: '/work', ...way })
      const { id } = await asker.raise({ ...shipIt, run: run.id })
      await asker.runs.change(run.id, { status })
      return asker.get(id)
    }
    const orphan = await end({}, 'completed')
    expect(orphan.status).toBe('orphaned')
    expect(await person.answer(orphan.id, { value: 'yes' })).toMatchObject({ won: false, replay: false })
    expect((await end({ resumeCommand: ['agent', '--resume'] }, 'completed')).status).toBe('pending')
    expect((await end({ sleeps: true }, 'completed')).status).toBe('pending')
    expect((await end({ sleeps: true }, 'stopped')).status).toBe('cancelled')
  })

  it('leaves no request pending that was asked while its run ended', async () => {
    const { asker, person } = await openTwoHubs()
    for (const hub of [asker, person]) {
      const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
      await Promise.allSettled([
        asker.raise({ ...shipIt, run: run.id }),
        hub.runs.change(run.id, { status: 'completed' }),
        asker.raise({ ...shipIt, run: run.id, context: 'once more' }),
      ])
      expect((await asker.list({ run: run.id })).requests).toEqual([])
    }
  })

  it('asks again for a secret that was deleted at the end of its run', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const first = await asker.raise({ ...apiKey, run: run.id })
    await person.answer(first.id, { value: 'sk-0123456789' })
    await asker.use(first.id)
    expect(await asker.use(first.id, { again: true })).toMatchObject({ value: 'sk-0123456789' })
    await asker.runs.change(run.id, { status: 'failed', reason: 'It crashed' })
    await asker.runs.start({ again: run.id, command: ['agent'], cwd: '/work' })
    const second = await asker.raise({ ...apiKey, run: run.id })
    expect(second).toMatchObject({ status: 'pending', id: expect.not.stringMatching(first.id) })
    expect((await asker.raise({ ...apiKey, run: run.id })).id).toBe(second.id)
  })

  it('keeps an undelivered answer when its run ends', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const { id } = await asker.raise({ ...shipIt, run: run.id })
    await person.answer(id, { value: 'yes' })
    await asker.runs.change(run.id, { status: 'failed', reason: 'It crashed' })
    expect(await asker.get(id)).toMatchObject({ status: 'answered', deliveredAt: null })
  })

  it('keeps why a run failed or was stopped until it starts again', async () => {
    const { asker, person } = await openTwoHubs()
    const start = { command: ['agent'], cwd: '/work' }
    const { id, reason } = await asker.runs.start(start)
    expect(reason).toBeNull()
    const failed = await asker.runs.change(id, { status: 'failed', reason: 'It ran out of disk' })
    expect(failed.reason).toBe('It ran out of disk')
    expect((await person.runs.list()).find(run => run.id === id)?.reason).toBe('It ran out of disk')
    expect((await asker.runs.start({ ...start, again: id })).reason).toBeNull()
    expect((await person.runs.stop(id)).reason).toMatch(/^Stopped by \w+$/)
    const another = await asker.runs.start(start)
    expect((await person.runs.stop(another.id, 'x'.repeat(15_000))).reason).toMatch(/^Stopped by \w+: x{900,}…$/)
    const last = await asker.runs.start(start)
    // What an older program over HTTP may send.
    const bare = { status: 'failed', exitCode: 9 } as unknown as Parameters<typeof asker.runs.change>[1]
    expect((await asker.runs.change(last.id, bare)).reason).toBe('The agent ended with exit code 9')
    const ends = (await person.events()).filter(({ type }) => /^run\.(failed|stopped)$/.test(type))
    for (const { run, data } of ends) {
      if (run === another.id || run === last.id) expect(data.reason).toBe((await person.runs.get(run)).reason)
    }
  })

  it('withdraws what a failed run has left open, also if it could have been started again', async () => {
    const { asker, person } = await openTwoHubs()
    const { id: run } = await asker.runs.start({ command: ['agent'], cwd: '/work', sleeps: true })
    const { id } = await asker.raise({ run, questions: [{ question: 'Go on?' }] })
    await asker.runs.change(run, { status: 'failed', reason: 'It ran out of disk' })
    expect(await person.get(id)).toMatchObject({
      status: 'orphaned',
      outcome: { reason: expect.stringContaining('disk') },
    })
    expect((await person.runs.get(run)).waiting).toEqual([])
  })

  it('demands the reason of a declined dependency, and nothing changes without it', async () => {
    const { asker, person } = await openTwoHubs()
    for (const required of [true, false]) {
      const { id } = await asker.raise({ ...apiKey, key: `required ${required}`, required })
      for (const input of [undefined, {}, { reason: null }, { reason: ' \n' }, { note: 'only a note' }]) {
        const problem = { code: 'invalid', details: [{ path: 'reason', message: 'must not be empty' }] }
        await expect(person.decline(id, input)).rejects.toMatchObject(problem)
      }
      expect((await asker.get(id)).status).toBe('pending')
      const { request } = await person.decline(id, { reason: 'no budget' })
      expect(request.outcome).toMatchObject({ status: 'declined', reason: 'no budget' })
      // Settled already: the caller learns who won.
      expect(await person.decline(id)).toMatchObject({ won: false, replay: false })
    }
  })

  it('derives what a run waits for from its pending requests', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work', name: 'night build' })
    const question = await asker.raise({ ...shipIt, run: run.id })
    await asker.raise({ ...approval, run: run.id })
    expect(await asker.runs.get(run.id)).toMatchObject({
      status: 'running',
      waiting: ['waiting_question', 'waiting_approval'],
      blockedReason: 'Ship it?',
      blockedAt: question.createdAt,
    })
    await person.answer(question.id, { value: 'yes' })
    expect(await asker.runs.get(run.id)).toMatchObject({ waiting: ['waiting_approval'] })
    expect((await asker.runs.list({ active: true })).map(({ name }) => name)).toEqual(['night build'])
  })

  it('allows only valid state changes of a run', async () => {
    const { asker } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    for (const status of ['paused', 'running', 'asleep', 'running'] as const)
      await asker.runs.change(run.id, { status })
    await asker.runs.change(run.id, { status: 'completed', exitCode: 0 })
    await expect(asker.runs.change(run.id, { status: 'running' })).rejects.toMatchObject({ code: 'invalid' })
    expect((await asker.events()).map(event => event.type)).toEqual([
      'run.started',
      'run.paused',
      'run.resumed',
      'run.asleep',
      'run.woken',
      'run.completed',
    ])
  })

  it('keeps concurrent changes to different fields of a run', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    await Promise.all([
      asker.runs.change(run.id, { pid: 42 }),
      asker.runs.change(run.id, { session: 's' }),
      person.runs.change(run.id, { exitCode: 3 }),
    ])
    expect(await asker.runs.get(run.id)).toMatchObject({ pid: 42, session: 's', exitCode: 3 })
  })

  it('confirms a delivery once, and not of a pending request', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    await expect(asker.confirmDelivery(id)).rejects.toMatchObject({ code: 'not_settled' })
    await person.answer(id, { value: 'yes' })
    const first = await asker.confirmDelivery(id)
    expect((await asker.confirmDelivery(id)).deliveredAt).toBe(first.deliveredAt)
    expect((await types(asker, id)).filter(type => type === 'request.delivered')).toHaveLength(1)
  })

  it('gives a secret to its asker once, and never shows it', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(apiKey)
    await expect(person.answer(id, { value: 'short' })).rejects.toMatchObject({ code: 'invalid' })
    const { request } = await person.answer(id, { value: 'sk-canary-0123456789' })
    expect(request.outcome).toMatchObject({
      status: 'answered',
      answers: [],
      reference: expect.stringMatching(/^ref_/),
    })
    expect(await person.answer(id, { value: 'sk-canary-0123456789' })).toMatchObject({ won: false, replay: true })
    expect(await person.answer(id, { value: 'sk-canary-other' })).toMatchObject({ won: false, replay: false })
    expect((await asker.raise(apiKey)).id).toBe(id)
    const used = await Promise.allSettled([asker.use(id), asker.use(id)])
    expect(used.map(result => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    const [taken] = used.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    expect(taken?.value).toBe('sk-canary-0123456789')
    expect(taken?.request).toMatchObject({ usedAt: expect.any(String), deliveredAt: expect.any(String) })
    expect(JSON.stringify([await asker.get(id), await asker.events()])).not.toContain('canary')
    expect((await asker.raise(apiKey)).id).not.toBe(id)
  })

  it('treats a no to a permission as a decline', async () => {
    const { asker, person } = await openTwoHubs()
    const permission = { kind: 'dependency', type: 'permission', name: 'push', description: 'Push to main' } as const
    const { id } = await asker.raise(permission)
    await person.answer(id, { value: 'No' })
    expect(await asker.get(id)).toMatchObject({ status: 'declined' })
    await expect(asker.use(id)).rejects.toMatchObject({ code: 'not_granted' })
  })

  it('grants exactly the action that was shown, once, and for a limited time', async () => {
    const { asker, person, advance } = await openTwoHubs()
    const granted = async () => {
      const { id } = await asker.raise(approval)
      await person.answer(id, { value: 'yes' })
      return id
    }
    const id = await granted()
    await expect(asker.use(id, { digest: 'other' })).rejects.toMatchObject({ code: 'not_granted' })
    const request = await asker.get(id)
    const digest = request.kind === 'approval' ? request.action.digest : ''
    await asker.use(id, { digest })
    await expect(asker.use(id, { digest })).rejects.toMatchObject({ code: 'used' })
    const late = await granted()
    advance(approvalLapsesAfter + 1)
    await expect(asker.use(late)).rejects.toMatchObject({ code: 'lapsed' })
    const refused = await asker.raise(approval)
    await expect(asker.use(refused.id)).rejects.toMatchObject({ code: 'not_settled' })
    await person.answer(refused.id, { value: 'no' })
    expect(await asker.get(refused.id)).toMatchObject({ status: 'declined' })
  })

  it('spends the yes that ask returns, and says which request it was', async () => {
    const { asker, person } = await openTwoHubs()
    const askAndAnswer = async (input: AskInput, value: string) => {
      const { cursor } = await person.list()
      const asking = asker.ask(input)
      for await (const { type, request } of person.follow({ since: cursor })) {
        if (type !== 'request.created' || request === null) continue
        await person.answer(request, { value })
        return { id: request, outcome: await asking }
      }
      throw new Error('Nothing was asked.')
    }
    const { id, outcome } = await askAndAnswer(approval, 'yes')
    expect(outcome).toMatchObject({ id, status: 'answered', value: 'yes' })
    expect(await asker.get(id)).toMatchObject({ usedAt: expect.any(String), deliveredAt: expect.any(String) })
    await expect(asker.use(id)).rejects.toMatchObject({ code: 'used' })
    const no = await askAndAnswer(approval, 'no')
    expect(no.outcome).toMatchObject({ id: no.id, status: 'declined', value: null })
    const { outcome: plain } = await askAndAnswer(shipIt, 'yes')
    expect(plain).toMatchObject({ value: 'yes' })
  })

  it('gives no yes to whoever asks again with the key of a spent approval', async () => {
    const { asker, person, advance } = await openTwoHubs()
    const keyed = { ...approval, key: 'deploy-1' }
    const { id } = await asker.raise(keyed)
    expect((await asker.raise(keyed)).id).toBe(id)
    await person.answer(id, { value: 'yes' })
    expect(await asker.ask(keyed)).toMatchObject({ id, value: 'yes' })
    await expect(asker.ask(keyed)).rejects.toMatchObject({ code: 'used' })
    await expect(asker.raise(keyed)).rejects.toMatchObject({ code: 'used' })
    const late = { ...approval, key: 'deploy-2' }
    await person.answer((await asker.raise(late)).id, { value: 'yes' })
    advance(approvalLapsesAfter + 1)
    await expect(asker.ask(late)).rejects.toMatchObject({ code: 'lapsed' })
  })

  it('takes the same use again, with the same nonce, for a replay', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(approval)
    await person.answer(id, { value: 'yes' })
    const first = await asker.use(id, { nonce: 'n1' })
    expect((await asker.use(id, { nonce: 'n1' })).request.usedAt).toBe(first.request.usedAt)
    await expect(asker.use(id, { nonce: 'n2' })).rejects.toMatchObject({ code: 'used' })
    const used = (await person.events()).filter(({ type, request }) => type === 'request.used' && request === id)
    expect(used).toHaveLength(1)
  })

  it('never shares a yes between two sessions or two calls of an agent', async () => {
    const { asker, person } = await openTwoHubs()
    const from = (session: string, id: string) => ({ ...approval, takeUp: true, call: { session, id } })
    const one = await asker.raise(from('s1', 'c1'))
    expect((await asker.raise(from('s1', 'c1'))).id).toBe(one.id)
    expect((await asker.raise(from('s1', 'c2'))).id).not.toBe(one.id)
    expect((await asker.raise(from('s2', 'c1'))).id).not.toBe(one.id)
    expect(one).toMatchObject({ call: { session: 's1', id: 'c1' } })
    await person.answer(one.id, { value: 'yes' })
    const other = { call: { session: 's2', id: 'c1' } }
    await expect(asker.use(one.id, other)).rejects.toMatchObject({ code: 'not_granted' })
    await asker.use(one.id, { call: { session: 's1', id: 'c1' } })
  })

  it('never joins approvals, except with takeUp', async () => {
    const { asker, person, advance } = await openTwoHubs()
    const first = await asker.raise(approval)
    expect((await asker.raise(approval)).id).not.toBe(first.id)
    const takeUp = { ...approval, takeUp: true }
    expect((await asker.raise(takeUp)).id).toBe(first.id)
    await person.answer(first.id, { value: 'yes' })
    expect((await asker.raise(takeUp)).id).toBe(first.id)
    await asker.use(first.id)
    const second = await asker.raise(takeUp)
    expect(second.id).not.toBe(first.id)
    await person.answer(second.id, { value: 'yes' })
    advance(approvalLapsesAfter + 1)
    expect(await asker.raise(takeUp)).toMatchObject({ status: 'pending' })
  })

  it('accepts a yes to a critical action only from a channel that showed all of it', async () => {
    const { asker, person } = await openTwoHubs()
    const critical = { ...approval, action: { ...approval.action, severity: 'critical' as const } }
    const { id } = await asker.raise(critical)
    await expect(person.answer(id, { value: 'yes', channel: 'cli' })).rejects.toMatchObject({ code: 'not_allowed' })
    const refusable = await asker.raise(critical)
    expect(await person.answer(refusable.id, { value: 'no', channel: 'cli' })).toMatchObject({ won: true })
    expect(await person.answer(id, { value: 'yes', channel: 'terminal' })).toMatchObject({ won: true })
  })

  it('accepts requested changes in a review only with a text', async () => {
    const { asker, person } = await openTwoHubs()
    const review = { kind: 'review', title: 'Phase 2', phase: 2, files: ['a.ts'], diff: '--- a\n' } satisfies AskInput
    const { id } = await asker.raise(review)
    expect(await person.get(id)).toMatchObject({ diff: '--- a\n' })
    expect(await asker.raise({ kind: 'review', title: 'Without' })).toMatchObject({ diff: null, files: [] })
    for (const answer of [{ value: 'changes' }, { text: 'rename it' }]) {
      await expect(person.answer(id, { answers: [answer] })).rejects.toMatchObject({ code: 'invalid' })
    }
    await person.answer(id, { answers: [{ value: 'changes', text: 'rename it' }] })
    expect(await asker.get(id)).toMatchObject({ status: 'answered', feedback: 'rename it', phase: 2, files: ['a.ts'] })
  })

  it('accepts a text beside a value, in the short form of every kind', async () => {
    const { asker, person } = await openTwoHubs()
    const review = await asker.raise({ kind: 'review', title: 'Phase 2' })
    await person.answer(review.id, { value: 'changes', text: 'rename it' })
    expect(await asker.get(review.id)).toMatchObject({ status: 'answered', feedback: 'rename it' })
    const again = { answers: [{ value: 'changes', text: 'rename it' }] }
    expect(await person.answer(review.id, again)).toMatchObject({ won: false, replay: true })

    const refused = await asker.raise(approval)
    await person.answer(refused.id, { value: 'no', text: 'not on a Friday' })
    const declined = { status: 'declined', reason: 'not on a Friday', note: 'not on a Friday' }
    expect((await asker.get(refused.id)).outcome).toMatchObject(declined)
    expect(await person.answer(refused.id, { value: 'no', note: 'not on a Friday' })).toMatchObject({ replay: true })
    const conditional = await asker.raise(approval)
    for (const input of [{ value: 'yes', text: 'if it is Monday' }, { text: 'yes' }]) {
      await expect(person.answer(conditional.id, input)).rejects.toMatchObject({ code: 'invalid' })
    }

    const permission = { kind: 'dependency', type: 'permission', name: 'DEPLOY', description: 'may I?' } as const
    const denied = await asker.raise(permission)
    await person.answer(denied.id, { value: 'no', text: 'ask Mina first' })
    expect((await asker.get(denied.id)).outcome).toMatchObject({ status: 'declined', reason: 'ask Mina first' })
    const granted = await asker.raise({ ...permission, name: 'RELEASE' })
    await expect(person.answer(granted.id, { value: 'yes', text: 'and then?' })).rejects.toMatchObject({
      code: 'invalid',
      details: [{ path: 'text' }],
    })

    const open = await asker.raise({ questions: [{ question: 'Which?', options: ['a', 'b'], allowOther: true }] })
    await person.answer(open.id, { value: 'a', text: 'mostly' })
    expect((await asker.get(open.id)).outcome?.answers).toMatchObject([{ selected: ['a'], text: 'mostly' }])
    const free = await asker.raise({ questions: [{ question: 'Why?' }] })
    await person.answer(free.id, { text: 'because' })
    expect((await asker.get(free.id)).outcome?.answers).toMatchObject([{ selected: [], text: 'because' }])
    const closed = await asker.raise(shipIt)
    await expect(person.answer(closed.id, { value: 'yes', text: 'mostly' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it("stores a person's draft, so that they can continue elsewhere", async () => {
    const { asker, person, open: openHub } = await openTwoHubs()
    const { id } = await asker.raise(threeQuestions)
    expect(await person.drafts.get(id)).toBeNull()
    const before = Date.now() - 1_000
    await person.drafts.save(id, {
      answers: [
        { id: 'q3', text: 'half a sen', note: 'check' },
        { id: 'q1', selected: ['c', 'a, b'] },
      ],
      note: 'not done',
    })
    const elsewhere = await openHub({ user: 'person' })
    const draft = await elsewhere.drafts.get(id)
    expect(draft).toEqual({
      answers: [
        { id: 'q1', selected: ['a, b', 'c'], text: null, note: null },
        { id: 'q3', selected: [], text: 'half a sen', note: 'check' },
      ],
      note: 'not done',
      by: 'person',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    expect(Date.parse(draft?.at ?? '')).toBeGreaterThan(before)
    expect(await asker.get(id)).toMatchObject({ status: 'pending', outcome: null })
    expect(await types(asker, id)).toEqual(['request.created'])
  })

  it('stores a draft that is not a valid answer yet', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(threeQuestions)
    const halfDone: DraftInput[] = [
      { answers: [{ id: 'q2', selected: ['speed', 'size'], text: '' }] },
      { answers: [{ id: 'q3', text: '   ' }] },
      { answers: [], note: 'only a note' },
    ]
    for (const draft of halfDone) {
      await person.drafts.save(id, draft)
      expect(await person.drafts.get(id)).toMatchObject(draft)
    }
  })

  it('keeps a draft of each person, and deletes only the own one when an empty one is saved', async () => {
    const { asker, person, open: openHub } = await openTwoHubs()
    const other = await openHub({ user: 'other' })
    const { id } = await asker.raise(threeQuestions)
    const type = (text: string): DraftInput => ({ answers: [{ id: 'q3', text }] })
    await person.drafts.save(id, type('mine'))
    // The newest comes first, and times have milliseconds.
    await sleep(2)
    await other.drafts.save(id, { ...type('theirs'), by: 'somebody else' })
    expect(await person.drafts.get(id)).toMatchObject({ ...type('mine'), by: 'person' })
    expect(await person.drafts.all(id)).toMatchObject({
      own: { ...type('mine'), by: 'person' },
      others: [{ ...type('theirs'), by: 'somebody else' }],
    })
    expect(await other.drafts.all(id)).toMatchObject({
      own: null,
      others: [{ by: 'somebody else' }, { by: 'person' }],
    })
    expect(await other.drafts.all(id, { by: 'somebody else' })).toMatchObject({
      own: type('theirs'),
      others: [{ by: 'person' }],
    })
    await other.drafts.save(id, { answers: [], by: 'somebody else' })
    // As fast as a person types, without waiting for each save.
    const typed = 'not so fast'
    await Promise.all([...typed].map((_, i) => person.drafts.save(id, type(typed.slice(0, i + 1)))))
    expect(await other.drafts.get(id)).toMatchObject({ ...type(typed), by: 'person' })
    await Promise.all([person.drafts.save(id, type('oh')), person.drafts.save(id, { answers: [] })])
    expect(await other.drafts.get(id)).toBeNull()
    await person.drafts.save(id, type('again'))
    await person.drafts.save(id, { answers: [{ id: 'q1', selected: [] }, { id: 'q3' }], note: ' ' })
    expect(await other.drafts.get(id)).toBeNull()
    await person.drafts.save(id, { answers: [] })
  })

  it('offers a discarded draft to nobody but its author, who keeps it', async () => {
    const { asker, person, open: openHub } = await openTwoHubs()
    const other = await openHub({ user: 'other' })
    const { id } = await asker.raise(threeQuestions)
    const draft: DraftInput = { answers: [{ id: 'q3', text: 'half a sen' }] }
    await person.drafts.save(id, draft)
    expect(await other.drafts.discard(id, 'person')).toBe(true)
    expect(await other.drafts.discard(id, 'person')).toBe(false)
    expect(await other.drafts.all(id)).toEqual({ own: null, others: [] })
    expect(await other.drafts.get(id)).toBeNull()
    expect(await person.drafts.get(id)).toMatchObject(draft)
    expect(await types(asker, id)).toEqual(['request.created'])
    await person.drafts.save(id, { answers: [{ id: 'q3', text: 'half a sentence' }] })
    expect(await other.drafts.get(id)).toMatchObject({ by: 'person', answers: [{ text: 'half a sentence' }] })
    await expect(other.drafts.discard('req_none', 'person')).rejects.toMatchObject({ code: 'not_found' })
    await expect(other.drafts.discard(id, 'a\0b')).rejects.toMatchObject({ code: 'invalid' })
  })

  it('stores drafts of approvals and reviews with their options', async () => {
    const { asker, person } = await openTwoHubs()
    const review = await asker.raise({ kind: 'review', title: 'Phase 2' })
    const yes = await asker.raise(approval)
    const drafts: [string, DraftInput][] = [
      [review.id, { answers: [{ id: 'review', selected: ['changes'], text: 'rename' }] }],
      [yes.id, { answers: [{ id: 'approval', selected: ['no'] }], note: 'because' }],
    ]
    for (const [id, draft] of drafts) {
      await person.drafts.save(id, draft)
      expect(await person.drafts.get(id)).toMatchObject(draft)
    }
  })

  it('refuses a draft with unknown questions or options by path, and keeps the previous one', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(threeQuestions)
    const good: DraftInput = { answers: [{ id: 'q1', selected: ['c'] }] }
    await person.drafts.save(id, good)
    const bad: [DraftInput, string][] = [
      [{ answers: [{ id: 'q1' }, { id: 'q4', text: 'x' }] }, 'answers[1].id'],
      [{ answers: [{ id: 'q1', selected: ['c', 'C'] }] }, 'answers[0].selected[1]'],
      [{ answers: [{ id: 'q1', selected: ['1'] }] }, 'answers[0].selected[0]'],
      [{ answers: [{ id: 'q3', selected: ['c'] }] }, 'answers[0].selected[0]'],
      [{ answers: [{ id: 'q3' }, { id: 'q3', text: 'x' }] }, 'answers[1].id'],
      [{ answers: [{ id: 'q3', text: 'a\0b' }] }, 'answers[0].text'],
      [{ answers: [{ id: 'q3', note: 'x'.repeat(20_001) }] }, 'answers[0].note'],
      [{ answers: [{ id: 'q3', value: 'x' }] } as never, 'answers[0].value'],
      [{ answers: [], surprise: 1 } as never, 'surprise'],
      [{} as never, 'answers'],
    ]
    for (const [draft, path] of bad) {
      const error = await person.drafts.save(id, draft).then(
        () => null,
        caught => caught,
      )
      expect(error, JSON.stringify(draft).slice(0, 80)).toMatchObject({ code: 'invalid', details: [{ path }] })
    }
    expect(await person.drafts.get(id)).toMatchObject(good)
    for (const none of ['req_none', 'req_\0', '\ud800', '']) {
      await expect(person.drafts.save(none, good)).rejects.toMatchObject({ code: 'not_found' })
      await expect(person.drafts.get(none)).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  it('deletes the draft when the request is settled, and refuses new ones', async () => {
    const { asker, person } = await openTwoHubs()
    const settling = {
      answered: (id: string) => person.answer(id, { value: 'yes' }),
      declined: (id: string) => person.decline(id),
      cancelled: (id: string) => asker.cancel(id),
    }
    const draft: DraftInput = { answers: [{ id: 'q1', selected: ['yes'] }] }
    for (const [status, settle] of Object.entries(settling)) {
      const { id } = await asker.raise({ ...shipIt, context: status })
      await person.drafts.save(id, draft)
      await settle(id)
      expect(await person.drafts.get(id)).toBeNull()
      for (const late of [draft, { answers: [] }]) {
        await expect(person.drafts.save(id, late)).rejects.toMatchObject({ code: 'not_allowed', details: { status } })
      }
    }
  })

  it('answers later runs in the same directory with a value that a person kept', async () => {
    const { asker, person } = await openTwoHubs()
    const value = 'sk-kept-0123456789'
    const first = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const { id } = await asker.raise({ ...apiKey, run: first.id })
    expect(await person.answer(id, { value, keep: { name: 'mine' } })).toMatchObject({ won: true, kept: 'mine' })
    const [kept] = await person.kept.list()
    expect(kept).toMatchObject({ name: 'mine', type: 'api_key', dependency: 'API_KEY', directory: '/work' })
    expect(JSON.stringify(await person.kept.list())).not.toContain(value)
    await asker.runs.change(first.id, { status: 'completed' })

    const later = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const again = await asker.raise({ ...apiKey, description: 'In other words', run: later.id })
    expect(again).toMatchObject({ status: 'answered', outcome: { channel: 'rule', by: kept?.by } })
    expect((await asker.use(again.id)).value).toBe(value)
    const elsewhere = await asker.runs.start({ command: ['agent'], cwd: '/elsewhere' })
    // The directory of the run counts, not the one its agent names.
    const asked = await asker.raise({ ...apiKey, run: elsewhere.id, agent: { cwd: '/work' } })
    expect(asked.status).toBe('pending')
  })

  it('deletes a kept value on request, together with the unused values given from it', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const first = await asker.raise({ ...apiKey, run: run.id, key: '1' })
    await person.answer(first.id, { value: 'sk-kept-0123456789', keep: true })
    const given = await asker.raise({ ...apiKey, run: run.id, key: '2' })
    expect(given.status).toBe('answered')
    expect(await person.kept.forget('API_KEY')).toMatchObject({ name: 'API_KEY' })
    expect(await person.kept.list()).toEqual([])
    const rules = (await person.events()).filter(({ type }) => type.startsWith('kept.'))
    expect(rules).toMatchObject([
      { type: 'kept.added', request: null, run: null, data: { name: 'API_KEY', dependency: 'API_KEY' } },
      { type: 'kept.removed', request: null, run: null, data: { name: 'API_KEY', dependency: 'API_KEY' } },
    ])
    await expect(person.kept.forget('API_KEY')).rejects.toMatchObject({ code: 'not_found' })
    await expect(asker.use(given.id)).rejects.toMatchObject({ code: 'used' })
    expect((await asker.raise({ ...apiKey, run: run.id, key: '3' })).status).toBe('pending')
    // The value that the person gave directly stays.
    expect((await asker.use(first.id)).value).toBe('sk-kept-0123456789')
  })

  it('replaces a kept value with a new one, and refuses values that cannot be kept', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const ask = (input: AskInput) => asker.raise({ ...input, run: run.id })
    const first = await ask(apiKey)
    await person.answer(first.id, { value: 'sk-kept-0123456789', keep: true })
    await person.kept.forget('API_KEY')
    const second = await ask({ ...apiKey, key: '2' })
    await person.answer(second.id, { value: 'sk-other-0123456789' })
    // The same answer again, this time kept.
    const replay = await person.answer(second.id, { value: 'sk-other-0123456789', keep: true })
    expect(replay).toMatchObject({ won: false, replay: true, kept: 'API_KEY' })
    expect((await asker.use((await ask({ ...apiKey, key: '3' })).id)).value).toBe('sk-other-0123456789')

    const permission = await ask({ kind: 'dependency', type: 'permission', name: 'push', description: 'Push' })
    const question = await ask(shipIt)
    for (const { id } of [permission, question]) {
      await expect(person.answer(id, { value: 'yes', keep: true })).rejects.toMatchObject({ code: 'invalid' })
      expect((await asker.get(id)).status).toBe('pending')
    }
    const other = await ask({ ...apiKey, name: 'OTHER' })
    const taken = person.answer(other.id, { value: 'sk-0123456789', keep: { name: 'API_KEY' } })
    await expect(taken).rejects.toMatchObject({ code: 'invalid' })
    expect(await person.kept.list()).toHaveLength(1)
  })

  it('lists and removes the rules of "always" answers', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise({ kind: 'approval', action: { command: 'make', cwd: '/work' } })
    await person.answer(id, { value: 'always exact' })
    const [rule] = await person.rules.list()
    expect(rule).toMatchObject({ scope: 'exact', verdict: 'allow', command: 'make', cwd: '/work', request: id })
    const removed = await person.rules.remove(rule?.id ?? '')
    expect(removed).toMatchObject({ id: rule?.id, removedBy: rule?.by })
    expect(await person.rules.list()).toEqual([])
    expect(await person.rules.list({ all: true })).toEqual([removed])
    await expect(person.rules.remove('rul_none')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('never stores a draft of a dependency, because it may be a secret', async () => {
    const { asker, person } = await openTwoHubs()
    for (const type of dependencyTypes) {
      const { id } = await asker.raise({ ...apiKey, type, name: type })
      const drafts: DraftInput[] = [
        { answers: [{ id: 'value', text: 'sk-canary-0123456789' }] },
        { answers: [], note: 'sk-canary-0123456789' },
      ]
      for (const draft of drafts) {
        const error = await person.drafts.save(id, draft).catch(caught => caught)
        expect(error).toMatchObject({ code: 'not_allowed' })
        expect(JSON.stringify([error.message, error.details])).not.toContain('canary')
      }
      expect(await person.drafts.get(id)).toBeNull()
    }
  })

  it('learns the session of a run from the first request that names one', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    // A name like an option would become one when the run is resumed.
    for (const session of [null, '--dangerous', 'a1', 'b2']) {
      await asker.raise({ ...shipIt, run: run.id, session, context: `from ${session}` })
    }
    expect(await person.runs.get(run.id)).toMatchObject({ session: 'a1', status: 'running' })
    const known = await asker.runs.start({ command: ['agent'], cwd: '/work', session: 'own' })
    await asker.raise({ ...shipIt, run: known.id, session: 'c3' })
    expect((await person.runs.get(known.id)).session).toBe('own')
  })

  it('stores a checkpoint of a run with its pending requests, readable by every hub', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent', '-x'], cwd: '/work', session: 'first' })
    const [early, cause] = [
      await asker.raise({ ...shipIt, run: run.id }),
      await asker.raise({ ...shipIt, run: run.id, context: 'the cause' }),
    ]
    const before = await asker.checkpoints.save({ run: run.id, reason: 'pause' })
    const snapshot = {
      commit: 'a'.repeat(40),
      ref: 'refs/beckon/run/name',
      root: '/work',
      head: null,
      branch: null,
      dirty: true,
      leftOut: ['large.bin'],
    }
    const taken = await asker.checkpoints.save({
      run: run.id,
      reason: 'request',
      requests: [cause.id],
      environment: ['PATH', 'HOME', 'PATH'],
      session: 'second',
      logPosition: 5_000_000_000,
      snapshot,
      note: 'as it was',
    })
    expect(taken).toEqual({
      id: expect.stringMatching(/^chk_\w+$/),
      run: run.id,
      start: 1,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      reason: 'request',
      requests: [cause.id, early.id],
      command: ['agent', '-x'],
      cwd: '/work',
      host: run.host,
      environment: ['HOME', 'PATH'],
      session: 'second',
      logPosition: 5_000_000_000,
      snapshot,
      note: 'as it was',
    })
    expect(before).toMatchObject({ session: 'first', logPosition: null, snapshot: null, note: null })
    expect(await person.checkpoints.get(taken.id)).toEqual(taken)
    expect(await person.checkpoints.list(run.id)).toEqual([taken, before])
    expect(await person.checkpoints.list(run.id, { limit: 1 })).toEqual([taken])
    await asker.runs.start({ again: run.id, command: ['agent'], cwd: '/work' })
    expect(await asker.checkpoints.save({ run: run.id, reason: 'sleep' })).toMatchObject({
      start: 2,
      command: ['agent'],
    })
  })

  it('stores the log of a remote run, each piece once, readable by every hub', async () => {
    const { asker, person } = await openTwoHubs()
    const { id, host } = await asker.runs.start({ command: ['agent'], cwd: '/work', host: 'far-away' })
    expect(await person.logs.read(id)).toEqual({ pieces: [], next: '0.0', missing: 0, final: false, elsewhere: host })
    expect(await asker.logs.append(id, { after: '0.0' })).toEqual({ next: '0.0', closed: false, wanted: true })
    expect(await person.logs.read(id)).toMatchObject({ pieces: [], elsewhere: null })
    const at = '2026-01-02T03:04:05.678Z'
    const [first, second] = [Buffer.from('가\n').subarray(0, 1), Buffer.from('가\n').subarray(1)]
    const piece = {
      after: '0.0',
      records: [
        { stream: 'out', at, text: 'one\n' },
        { stream: 'note', text: 'paused' },
        { stream: 'note', text: 'resumed' },
        { stream: 'err', base64: first.toString('base64') },
      ],
    } as const
    expect(await asker.logs.append(id, piece)).toMatchObject({ next: '5.0' })
    expect(await asker.logs.append(id, piece)).toMatchObject({ next: '5.0' })
    const page = await person.logs.read(id)
    expect(page.pieces.map(({ stream, text }) => [stream, text])).toEqual([
      ['out', 'one\n'],
      ['note', 'paused'],
      ['note', 'resumed'],
    ])
    expect(page).toMatchObject({ next: '4.2', missing: 0, final: false })
    expect(page.pieces[0]?.at).toBe(at)
    const waiting = person.logs.read(id, { after: page.next, wait: 30 })
    const end = {
      after: '5.0',
      records: [
        { stream: 'err', base64: second.toString('base64') },
        { stream: 'note', text: 'over' },
      ],
    } as const
    expect(await asker.logs.append(id, end)).toMatchObject({ next: '8.1' })
    const rest = await waiting
    expect(rest.pieces.map(({ text }) => text)).toEqual(['가\n', 'over'])
    expect(await person.logs.read(id, { after: rest.next })).toMatchObject({ pieces: [], next: '8.1', final: false })
    const closing = person.logs.read(id, { after: rest.next, wait: 30 })
    expect(await asker.logs.append(id, { after: '8.1', closed: true })).toMatchObject({ next: '8.1', closed: true })
    expect(await closing).toMatchObject({ pieces: [], next: '8.1', final: true })
    // The run was woken and prints again; part of that output is already deleted.
    await asker.logs.append(id, {
      after: '8.1',
      records: [
        { stream: 'gap', missing: 100 },
        { stream: 'out', text: 'more' },
      ],
    })
    expect(await person.logs.read(id, { after: rest.next })).toMatchObject({
      pieces: [{ text: 'more' }],
      next: '112.0',
      missing: 100,
      final: false,
    })
    expect((await person.logs.read(id, { after: '110.0' })).pieces).toMatchObject([{ text: 're' }])
  })

  it('keeps the end of a long log, and says how much is missing', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const text = `${'x'.repeat(1_023)}\n`.repeat(1_024)
    let next = '0.0'
    for (let i = 0; i < 20; i += 1)
      next = (await asker.logs.append(id, { after: next, records: [{ stream: 'out', text }] })).next
    expect(next).toBe(`${20 * 1_048_576}.0`)
    const first = await person.logs.read(id)
    expect(first.missing).toBe(4 * 1_048_576)
    expect((await person.logs.read(id, { after: 'end' })).pieces.map(({ text }) => text).join('')).toHaveLength(65_536)
  })

  it('refuses a log of an unknown run, an invalid one, and one that is too large', async () => {
    const { asker, person } = await openTwoHubs()
    await expect(asker.logs.append('run_none', { after: '0.0' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(person.logs.read('run_none')).rejects.toMatchObject({ code: 'not_found' })
    const { id } = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const wrong: unknown[] = [
      {},
      { after: 'x' },
      { after: '-1.0' },
      { after: '0.0', records: [{ stream: 'in', text: 'x' }] },
      { after: '0.0', records: [{ stream: 'out', base64: '*' }] },
      { after: '0.0', records: [{ stream: 'gap', missing: -1 }] },
      { after: '0.0', records: [{ stream: 'out', text: 'x', at: 'tomorrow' }] },
      {
        after: '0.0',
        records: [
          { stream: 'out', text: 'x'.repeat(700_000) },
          { stream: 'out', text: 'x'.repeat(700_000) },
        ],
      },
    ]
    for (const input of wrong)
      await expect(asker.logs.append(id, input as never)).rejects.toMatchObject({ code: 'invalid' })
    expect(await person.logs.read(id)).toMatchObject({ next: '0.0', missing: 0 })
    await expect(person.logs.read(id, { after: 'nonsense' })).rejects.toMatchObject({ code: 'invalid' })
  })

  it('refuses a checkpoint of an unknown run, and one with the value of a variable', async () => {
    const { asker } = await openTwoHubs()
    const missing = { code: 'not_found' }
    await expect(asker.checkpoints.save({ run: 'run_none', reason: 'demand' })).rejects.toMatchObject(missing)
    await expect(asker.checkpoints.list('run_none')).rejects.toMatchObject(missing)
    await expect(asker.checkpoints.get('chk_none')).rejects.toMatchObject(missing)
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work' })
    const wrong = { run: run.id, reason: 'demand' as const, environment: ['PATH', 'TOKEN=hunter2'] }
    const fault = await asker.checkpoints.save(wrong).catch(error => error)
    expect(fault).toMatchObject({ code: 'invalid', message: expect.stringContaining('environment[1]') })
    expect(fault.message).not.toContain('hunter2')
    expect(await asker.checkpoints.list(run.id)).toEqual([])
  })

  it('lists requests by status and kind, in pages', async () => {
    const { asker, person } = await openTwoHubs()
    const ids: string[] = []
    for (const context of ['1', '2', '3']) ids.push((await asker.raise({ ...shipIt, context })).id)
    await person.answer(ids[1] as string, { value: 'yes' })
    const page = await asker.list({ limit: 1 })
    expect(page).toMatchObject({ requests: [{ id: ids[0] }], next: ids[0] })
    expect(await asker.list({ limit: 1, after: page.next as string })).toMatchObject({
      requests: [{ id: ids[2] }],
      next: null,
    })
    expect((await asker.list({ status: 'all' })).requests.map(({ id }) => id)).toEqual(ids)
    expect((await asker.list({ status: 'answered' })).requests.map(({ id }) => id)).toEqual([ids[1]])
    expect((await asker.list({ kind: 'review' })).requests).toEqual([])
    const { id } = await asker.raise({ ...shipIt, session: 's-1' })
    await person.answer(id, { value: 'yes' })
    expect((await person.list({ session: 's-1', status: 'all' })).requests.map(({ id }) => id)).toEqual([id])
    expect((await person.list({ session: 's-2', status: 'all' })).requests).toEqual([])
  })

  it('lists the newest requests first on request, in pages', async () => {
    const { asker } = await openTwoHubs()
    const ids: string[] = []
    for (const context of ['1', '2', '3']) ids.push((await asker.raise({ ...shipIt, context })).id)
    const page = await asker.list({ order: 'desc', limit: 2 })
    expect(page).toMatchObject({ requests: [{ id: ids[2] }, { id: ids[1] }], next: ids[1] })
    expect(await asker.list({ order: 'desc', limit: 2, after: page.next as string })).toMatchObject({
      requests: [{ id: ids[0] }],
      next: null,
    })
  })

  it('finds requests by their literal text, ignoring case', async () => {
    const { asker, person } = await openTwoHubs()
    const ask = async (question: string, context = '') =>
      (await asker.raise({ questions: [{ question }], ...(context ? { context } : {}) })).id
    const texts = {
      deploy: await ask('Deploy to Production?'),
      percent: await ask('Is 100% right?'),
      under: await ask('snake_case or camelCase?'),
      quoted: await ask('Say "hello"\nor \\ not?'),
      korean: await ask('배포할까요?', 'ÉCLAIR in the context'),
    }
    await person.answer(texts.deploy, { value: 'on Tuesday' })
    const find = async (search: string) =>
      (await asker.list({ status: 'all', search })).requests.map(
        ({ id }) => Object.entries(texts).find(([, one]) => one === id)?.[0],
      )
    expect(await find('PRODUCTION')).toEqual(['deploy'])
    expect(await find('tuesday')).toEqual(['deploy'])
    expect(await find('0%')).toEqual(['percent'])
    expect(await find('e_c')).toEqual(['under'])
    expect(await find('"hello"\nor \\')).toEqual(['quoted'])
    expect(await find('할까')).toEqual(['korean'])
    expect(await find('ÉCLAIR')).toEqual(['korean'])
    expect(await find('%')).toEqual(['percent'])
    expect(await find('nowhere')).toEqual([])
    expect((await asker.list({ search: '' })).requests).toHaveLength(4)
  })

  it('returns an event cursor with a list, so that following from there misses nothing', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    const { cursor } = await person.list()
    expect(cursor).toBe(1)
    await asker.cancel(id)
    for await (const event of person.follow({ since: cursor })) {
      expect(event).toMatchObject({ id: 2, type: 'request.cancelled' })
      break
    }
  })

  it('lets a person ask back while the request stays open, and wakes only the asker that listens', async () => {
    const { asker, person } = await openTwoHubs()
    const before = await asker.raise({ ...shipIt, canReply: true, timeout: '1h' })
    const { id } = before
    const forOutcome = asker.wait(id)
    const listening = asker.wait(id, { orMessage: true })
    const sent = await person.messages.send(id, { text: ' Which branch? ' })
    const question = { id: expect.stringMatching(/^msg_/), from: 'person', by: 'person', text: 'Which branch?' }
    expect(sent.messages).toEqual([{ ...question, at: expect.any(String) }])
    expect(await listening).toMatchObject({ id, status: 'pending', messages: [question] })
    // Not taken yet, so that the next one who waits gets it, also after a crash.
    expect(await asker.wait(id, { orMessage: true })).toMatchObject({ messages: [question] })
    expect(await asker.messages.unheard(id)).toEqual(sent.messages)
    await asker.messages.confirm(id, sent.messages[0]?.id as string)
    expect(await asker.messages.unheard(id)).toEqual([])
    expect(await asker.wait(id, { orMessage: true, for: 0 })).toMatchObject({ status: 'pending' })
    const replied = await asker.messages.send(id, { text: 'main', as: 'agent' })
    expect(replied).toEqual({
      ...before,
      messages: [
        sent.messages[0],
        { id: expect.any(String), from: 'agent', by: 'script', text: 'main', at: expect.any(String) },
      ],
    })
    expect(await asker.messages.unheard(id)).toEqual([])
    await person.answer(id, { value: 'yes' })
    expect(await forOutcome).toMatchObject({ status: 'answered', messages: [question, { text: 'main' }] })
    const events = (await person.events()).filter(event => event.type === 'request.message')
    expect(events.map(({ request, data }) => ({ request, data }))).toEqual([
      { request: id, data: { message: replied.messages[0]?.id, from: 'person' } },
      { request: id, data: { message: replied.messages[1]?.id, from: 'agent' } },
    ])
  })

  it('hands each message to the handler of an ask once, and again with the same id where the handler failed', async () => {
    const { asker, person } = await openTwoHubs()
    const heard: string[] = []
    const dying = asker.ask(shipIt, {
      onMessage: message => {
        heard.push(message.id)
        throw new Error('killed')
      },
    })
    const failed = expect(dying).rejects.toThrow('killed')
    const id = await firstPending(person)
    await person.messages.send(id, { text: 'Is it tested?' })
    await failed
    const asking = asker.ask(shipIt, {
      onMessage: async (message, reply) => {
        heard.push(message.id)
        await reply(`You said: ${message.text}`)
      },
    })
    await thread(person, id, 2)
    await person.messages.send(id, { text: 'On ARM too?' })
    const [first, , second] = await thread(person, id, 4)
    await person.answer(id, { value: 'yes' })
    expect(await asking).toMatchObject({ id, status: 'answered', value: 'yes' })
    expect(heard).toEqual([first?.id, first?.id, second?.id])
    expect((await person.get(id)).messages.map(({ from, text }) => [from, text])).toEqual([
      ['person', 'Is it tested?'],
      ['agent', 'You said: Is it tested?'],
      ['person', 'On ARM too?'],
      ['agent', 'You said: On ARM too?'],
    ])
  })

  it('returns the answer to an asker that still thinks about a message', async () => {
    const { asker, person } = await openTwoHubs()
    const told = Promise.withResolvers<void>()
    const asking = asker.ask(shipIt, {
      onMessage: () => {
        told.resolve()
        return new Promise(() => {})
      },
    })
    const id = await firstPending(person)
    await person.messages.send(id, { text: 'Why?' })
    await told.promise
    await person.answer(id, { value: 'no' })
    expect(await asking).toMatchObject({ status: 'answered', value: 'no' })
  })

  it('takes messages only where they can be heard, on open requests, within limits, and each once', async () => {
    const { asker, person } = await openTwoHubs()
    const deaf = await asker.raise(shipIt)
    await expect(person.messages.send(deaf.id, { text: 'Why?' })).rejects.toMatchObject({ code: 'not_allowed' })
    await expect(person.messages.send('req_none', { text: 'Why?' })).rejects.toMatchObject({ code: 'not_found' })
    const { id } = await asker.raise({ ...shipIt, context: 'hears', canReply: true })
    for (const text of ['', ' ', 'x'.repeat(10_001)]) {
      await expect(person.messages.send(id, { text })).rejects.toMatchObject({ code: 'invalid' })
    }
    await Promise.all(['Same', 'Same'].map(text => person.messages.send(id, { text })))
    for (let n = 1; n <= 20; n += 1) await asker.messages.send(id, { text: `claim ${n}`, as: 'agent' })
    await expect(asker.messages.send(id, { text: 'One more', as: 'agent' })).rejects.toMatchObject({
      code: 'not_allowed',
    })
    const { messages } = await person.messages.send(id, { text: 'Enough' })
    expect(messages.map(({ from }) => from)).toEqual(['person', ...Array(20).fill('agent'), 'person'])
    await expect(asker.messages.confirm(id, 'msg_none')).rejects.toMatchObject({ code: 'not_found' })
    await person.decline(id, { reason: 'Too late' })
    for (const hub of [asker, person]) {
      const late = hub.messages.send(id, { text: 'Late', ...(hub === asker ? { as: 'agent' } : {}) })
      await expect(late).rejects.toMatchObject({
        code: 'settled_otherwise',
        details: { outcome: { status: 'declined', reason: 'Too late' } },
      })
    }
  })

  it('takes no message for a run that sleeps until its requests are decided; the built-in agent wakes to reply', async () => {
    const { asker, person } = await openTwoHubs()
    const run = await asker.runs.start({ command: ['agent'], cwd: '/work', session: 'talk', sleeps: true })
    const asked = await asker.raise({ ...shipIt, run: run.id, canReply: true })
    const ofAgent = await asker.raise({ ...shipIt, run: run.id, canReply: true, key: 'talk/call-1' })
    await asker.runs.change(run.id, { status: 'asleep' })
    await expect(person.messages.send(asked.id, { text: 'Why?' })).rejects.toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('sleeps'),
    })
    expect((await person.messages.send(ofAgent.id, { text: 'Why?' })).messages).toMatchObject([{ text: 'Why?' }])
    await asker.runs.start({ again: run.id, command: ['agent'], cwd: '/work' })
    expect((await person.messages.send(asked.id, { text: 'Why?' })).messages).toMatchObject([{ text: 'Why?' }])
  })

  it('reports when following has started, and from which event', async () => {
    const { asker, person } = await openTwoHubs()
    await asker.raise(shipIt)
    const ready = Promise.withResolvers<number>()
    const stop = new AbortController()
    const first = (async () => {
      for await (const event of person.follow({ signal: stop.signal, onReady: ready.resolve })) return event.id
      return null
    })()
    expect(await ready.promise).toBe(1)
    await asker.raise({ ...shipIt, context: 'next' })
    expect(await first).toBe(2)
    stop.abort()
  })

  it('streams every event after a cursor in order, and then new ones', async () => {
    const { asker, person } = await openTwoHubs()
    const { id } = await asker.raise(shipIt)
    const stop = new AbortController()
    const seen: Event[] = []
    const following = (async () => {
      for await (const event of person.follow({ since: 0, signal: stop.signal })) {
        seen.push(event)
        if (seen.length === 3) stop.abort()
      }
    })()
    await asker.cancel(id)
    await asker.raise({ ...shipIt, context: 'next' })
    await following
    expect(seen.map(event => [event.id, event.type])).toEqual([
      [1, 'request.created'],
      [2, 'request.cancelled'],
      [3, 'request.created'],
    ])
  })

  it('ends its streams and waits when it is closed', async () => {
    const { asker, open: openHub } = await openTwoHubs()
    const hub = await openHub()
    const { id } = await asker.raise(shipIt)
    const waiting = hub.wait(id)
    const streaming = (async () => {
      for await (const _ of hub.follow({ since: 0 }));
      return 'ended'
    })()
    const failing = expect(waiting).rejects.toMatchObject({ code: 'closed' })
    await hub.close()
    await failing
    expect(await streaming).toBe('ended')
    open.splice(open.indexOf(hub), 1)
  })
}

async function firstPending(hub: HubApi): Promise<string> {
  for (;;) {
    const { requests } = await hub.list()
    if (requests[0]) return requests[0].id
    await sleep(2)
  }
}

/** The messages of a request, once there are this many. */
async function thread(hub: HubApi, id: string, count: number): Promise<Message[]> {
  for (;;) {
    const { messages } = await hub.get(id)
    if (messages.length >= count) return messages
    await sleep(2)
  }
}
