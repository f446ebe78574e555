import { describe, expectTypeOf, it } from 'vitest'
import { connect, type RemoteHub } from '../../src/client/index.ts'
import {
  type Ask,
  type AttachedFile,
  type Hub,
  type Outcome,
  openHub,
  type Prompt,
  type Request,
} from '../../src/index.ts'
import type { AskInput, HubApi } from '../../src/protocol/index.ts'
import { openTestHub, type TestHub } from '../../src/testing/index.ts'

// Checked by tsc, which is part of npm run check; nothing here runs.

declare const hub: Hub

const never = () => {
  throw new Error('Types only.')
}

describe('the value of an answer', () => {
  it('is one of the labels', () => {
    const ask = () => hub.ask({ question: 'Ship it?', options: ['yes', 'no'] })
    expectTypeOf<Outcome['id']>().toEqualTypeOf<string>()
    expectTypeOf<Awaited<ReturnType<typeof ask>>['id']>().toEqualTypeOf<string>()
    expectTypeOf<Awaited<ReturnType<typeof ask>>['value']>().toEqualTypeOf<'yes' | 'no' | null>()
  })

  it('is never null once it is answered, and always null where nobody chose', () => {
    const ask = async () => {
      const outcome = await hub.ask({ question: 'Ship it?', options: ['yes', 'no'] })
      if (outcome.status === 'answered' || outcome.status === 'defaulted')
        expectTypeOf(outcome.value).toEqualTypeOf<'yes' | 'no'>()
      else if (outcome.status === 'skipped') expectTypeOf(outcome.value).toEqualTypeOf<'yes' | 'no' | null>()
      else expectTypeOf(outcome.value).toEqualTypeOf<null>()
    }
    expectTypeOf(ask).returns.resolves.toEqualTypeOf<void>()
  })

  it('is a label of options with descriptions, and of mixed ones', () => {
    const ask = () => hub.ask({ question: 'Where?', options: [{ label: 'eu', description: 'Europe' }, 'us'] })
    expectTypeOf(ask).returns.resolves.toHaveProperty('value').toEqualTypeOf<'eu' | 'us' | null>()
  })

  it('is a list where several may be chosen', () => {
    const ask = () => hub.ask({ question: 'Which?', options: ['a', 'b'], multiSelect: true })
    expectTypeOf(ask).returns.resolves.toHaveProperty('value').toEqualTypeOf<('a' | 'b')[] | null>()
  })

  it('is a label or any text where the person may write their own', () => {
    const one = () => hub.ask({ question: 'Why?', options: ['speed', 'size'], allowOther: true })
    const many = () => hub.ask({ question: 'Why?', options: ['speed'], allowOther: true, multiSelect: true })
    type Own = string & {}
    expectTypeOf(one).returns.resolves.toHaveProperty('value').toEqualTypeOf<'speed' | 'size' | Own | null>()
    expectTypeOf(many).returns.resolves.toHaveProperty('value').toEqualTypeOf<('speed' | Own)[] | null>()
  })

  it('is text where there are no options, or where only the program knows them', () => {
    const labels: string[] = []
    const free = () => hub.ask({ question: 'Name?' })
    const none = () => hub.ask({ question: 'Name?', options: [] })
    const dynamic = () => hub.ask({ question: 'Which?', options: labels })
    const flag = true as boolean
    const maybe = () => hub.ask({ question: 'Which?', options: ['a'], multiSelect: flag })
    expectTypeOf(free).returns.resolves.toHaveProperty('value').toEqualTypeOf<string | null>()
    expectTypeOf(none).returns.resolves.toHaveProperty('value').toEqualTypeOf<string | null>()
    expectTypeOf(dynamic).returns.resolves.toHaveProperty('value').toEqualTypeOf<string | null>()
    expectTypeOf(maybe).returns.resolves.toHaveProperty('value').toEqualTypeOf<'a' | 'a'[] | null>()
  })

  it('is that of the only question of a form, and null for a longer one, whose answers are typed', () => {
    const single = () => hub.ask({ questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] })
    expectTypeOf(single).returns.resolves.toHaveProperty('value').toEqualTypeOf<'yes' | 'no' | null>()
    const form = async () => {
      const outcome = await hub.ask({
        questions: [{ id: 'region', question: 'Where?', options: ['eu', 'us'] }, { question: 'Anything else?' }],
      })
      expectTypeOf(outcome.value).toEqualTypeOf<null>()
      if (outcome.status !== 'answered') return never()
      const [region, rest] = outcome.answers
      expectTypeOf(region.id).toEqualTypeOf<'region'>()
      expectTypeOf(region.selected).toEqualTypeOf<('eu' | 'us')[]>()
      expectTypeOf(rest.id).toEqualTypeOf<string>()
      expectTypeOf(rest.text).toEqualTypeOf<string | null>()
      // @ts-expect-error There are two questions.
      outcome.answers[2]
    }
    expectTypeOf(form).toBeFunction()
  })

  it('of an approval is yes, of a review approve or changes, and a dependency has a reference instead', () => {
    const approval = () => hub.ask({ kind: 'approval', action: { command: 'rm -rf build', cwd: '/srv' } })
    const review = () => hub.ask({ kind: 'review', title: 'Phase 1' })
    const need = () => hub.ask({ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'To pay' })
    expectTypeOf(approval).returns.resolves.toHaveProperty('value').toEqualTypeOf<'yes' | null>()
    expectTypeOf(review).returns.resolves.toHaveProperty('value').toEqualTypeOf<'approve' | 'changes' | null>()
    expectTypeOf(need).returns.resolves.toHaveProperty('value').toEqualTypeOf<null>()
    expectTypeOf(need).returns.resolves.toHaveProperty('reference').toEqualTypeOf<string | undefined>()
    const edited = async () => (await approval()).edited?.command ?? 'as it was'
    expectTypeOf(edited).returns.resolves.toEqualTypeOf<string>()
  })

  it('is any of these for an ask that was put together before', () => {
    const ask = (asked: Ask) => hub.ask(asked)
    expectTypeOf(ask).returns.resolves.toHaveProperty('value').toEqualTypeOf<string | string[] | null>()
    expectTypeOf<Outcome['value']>().toEqualTypeOf<string | string[] | null>()
    expectTypeOf<Request['outcome']>().toEqualTypeOf<Outcome | null>()
  })
})

describe('an ask', () => {
  it('has no other fields, at any depth', () => {
    const wrong = () => [
      // @ts-expect-error A typing error.
      hub.ask({ question: 'Ship it?', optoins: ['yes'] }),
      // @ts-expect-error Neither in a form,
      hub.ask({ questions: [{ question: 'Ship it?', optoins: ['yes'] }] }),
      // @ts-expect-error nor in an option,
      hub.ask({ question: 'Ship it?', options: [{ label: 'yes', descripton: 'x' }] }),
      // @ts-expect-error nor in an action.
      hub.ask({ kind: 'approval', action: { command: 'ls', cwd: '/', comand: 'x' } }),
      // @ts-expect-error A field of another kind.
      hub.ask({ kind: 'review', title: 'Phase 1', options: ['yes'] }),
      // @ts-expect-error A value of another type.
      hub.raise({ question: 'Ship it?', options: 'yes' }),
      // @ts-expect-error A word that is not one of those.
      hub.raise({ question: 'Ship it?', onTimeout: 'panic' }),
      // @ts-expect-error Something is missing.
      hub.raise({ kind: 'dependency', type: 'api_key', name: 'KEY' }),
    ]
    expectTypeOf(wrong).toBeFunction()
  })

  it('is what the hub takes, field by field', () => {
    type Fields<Kind extends AskInput['kind']> = keyof Extract<AskInput, { kind: Kind }>
    type Written<Kind extends Ask['kind']> = keyof Extract<Ask, { kind: Kind }>
    // What the hub works out for itself is not for programs to write.
    expectTypeOf<Written<'dependency'>>().toEqualTypeOf<Fields<'dependency'>>()
    expectTypeOf<Written<'approval'>>().toEqualTypeOf<Fields<'approval'>>()
    expectTypeOf<Written<'review'>>().toEqualTypeOf<Fields<'review'>>()
    type Form = Extract<AskInput, { questions: unknown[] }>
    expectTypeOf<keyof Prompt>().toEqualTypeOf<keyof Form['questions'][number]>()
    expectTypeOf<AskInput>().toExtend<Ask>()
  })

  it('attaches paths in the library, and only bytes over HTTP', () => {
    expectTypeOf<NonNullable<Ask['attachments']>[number]>().toEqualTypeOf<AttachedFile>()
    const wrong = (remote: RemoteHub) =>
      // @ts-expect-error There may be no files where it runs.
      remote.ask({ question: 'Which picture?', attachments: ['./shot.png'] })
    expectTypeOf(wrong).toBeFunction()
  })
})

describe('an option', () => {
  it('may be undefined, as where it comes from the environment', () => {
    const given = undefined as string | undefined
    const signal = undefined as AbortSignal | undefined
    const calls = async (remote: RemoteHub) => {
      await openHub({ database: given, token: given, channel: given, caller: { agent: given, user: given } })
      connect('https://hub.example.com', { token: 'x', agent: given, directory: given, user: given, channel: given })
      await openTestHub({ now: given, agent: given, person: given })
      await remote.ask({ question: 'Ship it?', context: given, key: given, header: given }, { signal })
      await remote.wait('req_1', { for: undefined, signal })
      await remote.list({ run: given, search: given, after: given })
      remote.follow({ since: undefined, signal })
    }
    expectTypeOf(calls).toBeFunction()
  })
})

describe('every hub', () => {
  it('fits where a hub is taken', () => {
    expectTypeOf<Hub>().toExtend<HubApi>()
    expectTypeOf<RemoteHub>().toExtend<HubApi>()
    expectTypeOf<RemoteHub>().toExtend<Hub>()
    expectTypeOf<TestHub['hub']>().toEqualTypeOf<Hub>()
  })
})
