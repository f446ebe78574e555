import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hub } from '../../src/index.ts'
import { openTestHub, type TestHub } from '../../src/testing/index.ts'

let test: TestHub

beforeEach(async () => {
  test = await openTestHub({ now: '2026-03-01T09:00:00Z' })
})

afterEach(() => test.close())

/** The kind of code that is tested with it. */
async function deploy(hub: Hub): Promise<string> {
  const outcome = await hub.ask({
    question: 'Deploy to production?',
    options: ['now', 'tonight'],
    timeout: '15m',
    onTimeout: 'fail',
  })
  return outcome.status === 'answered' ? `deploys ${outcome.value}` : `${outcome.status}: ${outcome.reason}`
}

describe('a scripted person', () => {
  it('answers what is asked', async () => {
    test.person.when('Deploy to production?').answer('tonight')
    expect(await deploy(test.hub)).toBe('deploys tonight')
    const { requests } = await test.hub.list({ status: 'all' })
    expect(requests).toMatchObject([
      { outcome: { by: 'person', channel: 'terminal', value: 'tonight', at: '2026-03-01T09:00:00.000Z' } },
    ])
  })

  it('gives its replies one after the other, and the last one from then on', async () => {
    test.person
      .when(/production/)
      .decline('Not on a Friday')
      .answer('now')
    expect(await deploy(test.hub)).toBe('declined: Not on a Friday')
    expect(await deploy(test.hub)).toBe('deploys now')
    expect(await deploy(test.hub)).toBe('deploys now')
  })

  it('follows the newest script that matches', async () => {
    test.person.when({ kind: 'question' }).answer('now')
    test.person.when('Deploy to production?').answer('tonight')
    expect(await deploy(test.hub)).toBe('deploys tonight')
  })

  it('answers what was asked before it was scripted', async () => {
    const deploying = deploy(test.hub)
    await test.person.next()
    test.person.when('Deploy to production?').decline('Not yet').answer('now')
    expect(await deploying).toBe('declined: Not yet')
    expect(await deploy(test.hub)).toBe('deploys now')
  })

  it('outlives code that closes its hub', async () => {
    test.person.when('Deploy to production?').answer('now')
    expect(await deploy(test.hub)).toBe('deploys now')
    await test.hub.close()
    await expect(test.person.next()).rejects.toThrow()
  })

  it('approves a critical command, gives a secret, reviews, skips and fills in a form', async () => {
    const { hub, person } = test
    person.when({ kind: 'approval' }).answer('yes')
    person.when('STRIPE_KEY').answer('sk-live-0123456789abcdef')
    person.when({ kind: 'review' }).answer({ value: 'changes', text: 'Rename it' })
    person.when('Anything else?').skip()
    person
      .when(request => request.kind === 'question' && request.questions.length === 2)
      .answer({
        answers: [
          { id: 'region', value: 'eu' },
          { id: 'q2', text: 'soon' },
        ],
      })
    const approved = await hub.ask({
      kind: 'approval',
      action: { command: 'make release', cwd: '/srv', severity: 'critical' },
    })
    expect(approved).toMatchObject({ status: 'answered', value: 'yes' })
    const need = { kind: 'dependency', type: 'api_key', name: 'STRIPE_KEY', description: 'To charge' } as const
    const { id } = await hub.ask(need)
    expect((await hub.use(id)).value).toBe('sk-live-0123456789abcdef')
    const review = await hub.ask({ kind: 'review', title: 'Phase 1' })
    expect(review).toMatchObject({ value: 'changes', answers: [{ text: 'Rename it' }] })
    expect(await hub.ask({ question: 'Anything else?', required: false })).toMatchObject({ status: 'skipped' })
    const form = await hub.ask({
      questions: [{ id: 'region', question: 'Where?', options: ['eu', 'us'] }, { question: 'When?' }],
    })
    expect(form.answers).toMatchObject([
      { id: 'region', selected: ['eu'] },
      { id: 'q2', text: 'soon' },
    ])
  })

  it('asks back, and decides once the asker replied', async () => {
    test.person.when('Ship it?').askBack('Which version?').answer('yes')
    const heard: string[] = []
    const outcome = await test.hub.ask(
      { question: 'Ship it?', options: ['yes', 'no'] },
      {
        onMessage: async ({ text }, reply) => {
          heard.push(text)
          await reply('1.4.0')
        },
      },
    )
    expect(outcome.value).toBe('yes')
    expect(heard).toEqual(['Which version?'])
    const { messages } = await test.hub.get(outcome.id)
    expect(messages).toMatchObject([
      { from: 'person', by: 'person' },
      { from: 'agent', text: '1.4.0' },
    ])
  })

  it('cancels what it cannot answer as scripted, and says so when the hub is closed', async () => {
    const own = await openTestHub()
    own.person.when('Deploy to production?').answer('yesterday')
    const why = 'The scripted reply to "Deploy to production?" was refused: answer: Answer must be one of: now, tonight'
    expect(await deploy(own.hub)).toBe(`cancelled: ${why}`)
    await expect(own.close()).rejects.toThrow(why)
  })
})

describe('a clock that the test moves', () => {
  it('lets a deadline pass without waiting, and not before', async () => {
    const deploying = deploy(test.hub)
    const { id } = await test.person.next()
    await test.clock.advance('14m')
    expect((await test.hub.get(id)).status).toBe('pending')
    await test.clock.advance('1m')
    expect(await deploying).toMatch(/^expired: /)
    expect(test.clock.now()).toEqual(new Date('2026-03-01T09:15:00Z'))
  })

  it('reminds at each moment on the way, in order', async () => {
    const { id } = await test.hub.raise({ question: 'Ship it?', options: ['yes'], timeout: '1h', onTimeout: 'remind' })
    await test.clock.advance('5h')
    const reminders = (await test.hub.events()).filter(({ type }) => type === 'request.reminded')
    expect(reminders.map(({ at }) => at)).toEqual([
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T13:00:00.000Z',
    ])
    await test.person.answer(id, 'yes')
  })

  it('gives a scripted reply after a time, which a deadline can come before', async () => {
    test.person.when('Deploy to production?').after('10m').answer('now').after('20m').answer('now')
    const first = deploy(test.hub)
    await test.person.next()
    await test.clock.advance('10m')
    expect(await first).toBe('deploys now')
    const second = deploy(test.hub)
    await test.person.next()
    await test.clock.advance('1h')
    expect(await second).toMatch(/^expired/)
  })

  it('ends a wait with a limit', async () => {
    const { id } = await test.hub.raise({ question: 'Ship it?', options: ['yes'] })
    const waiting = test.hub.wait(id, { for: 60_000 })
    await test.clock.advance('1m')
    expect((await waiting).status).toBe('pending')
  })

  it('lets an unused yes lapse', async () => {
    const { id } = await test.hub.raise({ kind: 'approval', action: { command: 'git push --force', cwd: '/srv' } })
    await test.person.answer(id, 'yes')
    await test.clock.advance('16m')
    await expect(test.hub.use(id)).rejects.toMatchObject({ code: 'lapsed' })
  })

  it('refuses a duration that is none', async () => {
    await expect(test.clock.advance('soon')).rejects.toThrow('"soon" is not a duration')
  })
})

it('reads nothing of the environment but what the test gives', async () => {
  const callbackUrl = 'https://1.1.1.1/resume'
  vi.stubEnv('BECKON_CALLBACK_HOSTS', '1.1.1.1')
  vi.stubEnv('BECKON_USER', 'somebody')
  const own = await openTestHub()
  const listed = await openTestHub({ env: { BECKON_CALLBACK_HOSTS: '1.1.1.1' } })
  vi.unstubAllEnvs()
  await expect(own.hub.raise({ question: 'Ship it?', callbackUrl })).rejects.toMatchObject({ code: 'invalid' })
  expect(await listed.hub.raise({ question: 'Ship it?', callbackUrl })).toMatchObject({ status: 'pending' })
  await Promise.all([own.close(), listed.close()])
})

it('stands apart from every other hub, and from the agent that runs the tests', async () => {
  const other = await openTestHub()
  await other.hub.raise({ question: 'Ship it?' })
  expect((await test.hub.list()).requests).toEqual([])
  process.env.CLAUDECODE = '1'
  const { id } = await other.person.next()
  await other.hub.answer(id, { value: 'yes', by: 'mina' })
  delete process.env.CLAUDECODE
  await other.close()
})
