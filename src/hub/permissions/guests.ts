import {
  type AnswerInput,
  type AppendLogInput,
  BeckonError,
  type CancelInput,
  type DeclineInput,
  type DraftInput,
  type Event,
  type HubApi,
  type ListFilter,
  type Scope,
  type SkipInput,
} from '../../protocol/index.ts'
import type { RequestRecord } from '../../store/records.ts'
import type { Store } from '../../store/store.ts'
import type { Grant, GuestHub } from '../access.ts'
import { scopeOf } from '../deduplicate.ts'
import { createRunnerHub } from './runners.ts'
import { createHearing } from './visible-events.ts'

interface Options {
  store: Store
  /** The hub in the voice of this guest. */
  hub: HubApi & Pick<GuestHub, 'raiseOrJoin'>
  /** Lists only what was asked in a key space. */
  listOf: (filter: ListFilter, scope: string) => ReturnType<HubApi['list']>
  grant: Grant
}

/**
 * The hub as a guest over HTTP has it. Whoever asks sees and takes its own requests, and settles none; whoever answers
 * does everything else but tokens and targets; a sealed value goes to the one who asked, and never to a browser.
 */
export function createGuestHub({ store, hub, listOf, grant }: Options): GuestHub {
  const { scope, run, kind, id: token } = grant
  const keySpace = scopeOf(run, token, '', '')
  const own = createOwn()
  const people = {
    ...hub,
    answer: async (id: string, input: AnswerInput) => hub.answer(id, signed(input)),
    skip: async (id: string, input?: SkipInput) => hub.skip(id, signed(input)),
    decline: async (id: string, input?: DeclineInput) => hub.decline(id, signed(input)),
    cancel: async (id: string, input?: CancelInput) => hub.cancel(id, signed(input)),
    drafts: {
      ...hub.drafts,
      save: async (id: string, draft: DraftInput) =>
        hub.drafts.save(id, kind === 'session' ? { ...draft, by: grant.name } : draft),
    },
    use: async (id: string, options?: Parameters<HubApi['use']>[1]) => {
      await refuseForeignValue(id)
      return hub.use(id, options)
    },
    logs: {
      ...hub.logs,
      // It is a supervisor that prints, and no page.
      append: async (id: string, input: AppendLogInput) =>
        kind === 'session' ? refuseSession() : hub.logs.append(id, input),
    },
    ...createHearing(hub, () => true),
  }
  if (scope === 'admin') return people
  const needsAdmin = () => refuse('admin')
  const adminsOnly = {
    tokens: { create: needsAdmin, list: needsAdmin, revoke: needsAdmin },
    targets: { add: needsAdmin, list: needsAdmin, remove: needsAdmin, test: needsAdmin },
  }
  if (scope === 'answer') {
    return { ...people, ...adminsOnly, tokens: { ...adminsOnly.tokens, create: createToken } }
  }
  if (scope === 'run') return createRunnerHub({ store, hub, listOf, grant, refuse })
  const needsAnswer = () => refuse('answer')
  return {
    raise: async input => hub.raise(inOwnRun(input)),
    raiseOrJoin: async input => {
      const raised = await hub.raiseOrJoin(inOwnRun(input))
      own.know(raised.request.id)
      return raised
    },
    ask: async (input, options) => hub.ask(inOwnRun(input), options),
    wait: (id, options) => own.only(id, () => hub.wait(id, options)),
    get: id => own.only(id, () => hub.get(id)),
    cancel: (id, input) => own.only(id, () => hub.cancel(id, signed(input))),
    confirmDelivery: id => own.only(id, () => hub.confirmDelivery(id)),
    use: (id, options) => own.only(id, () => hub.use(id, options)),
    list: async (filter = {}) => {
      // Looking for a text takes as long as what an agent asked is large.
      if (filter.search) return refuse('answer')
      return run === null ? listOf(filter, keySpace) : hub.list({ ...filter, run: runOf(filter) })
    },
    ...createHearing(hub, own.hears),
    // What people allow an agent may know, and make nothing of it that they did not say.
    rules: { list: () => hub.rules.list(), remove: needsAnswer },
    allowByRule: (id, rule) => own.only(id, () => hub.allowByRule(id, rule)),
    answer: needsAnswer,
    skip: needsAnswer,
    decline: needsAnswer,
    drafts: { save: needsAnswer, get: needsAnswer },
    reschedule: needsAnswer,
    runs: {
      start: needsAnswer,
      get: async id => (id === run ? hub.runs.get(id) : needsAnswer()),
      list: needsAnswer,
      change: needsAnswer,
    },
    logs: { append: needsAnswer, read: needsAnswer },
    checkpoints: { save: needsAnswer, get: needsAnswer, list: needsAnswer },
    kept: { list: needsAnswer, forget: needsAnswer },
    ...adminsOnly,
    push: { key: needsAnswer, subscribe: needsAnswer, unsubscribe: needsAnswer },
    close: hub.close,
  }

  async function refuse(needed: Scope): Promise<never> {
    throw new BeckonError('not_allowed', `This needs a token with the scope ${needed}; this one's is ${scope}.`)
  }

  function refuseSession(): never {
    throw new BeckonError('not_allowed', 'This is for the token of a supervisor, and not for a browser.')
  }

  /**
   * In a browser it is who signed in, on the web. Another program may answer in the name of a person, as a chat does;
   * it cannot say that it was a browser, a rule or a deadline. What an agent withdraws, no person withdrew.
   */
  function signed<Input extends { by?: string | undefined; channel?: string | undefined }>(input = {} as Input): Input {
    if (kind === 'session') return { ...input, by: grant.name, channel: 'web' }
    if (scope === 'ask') return { ...input, by: grant.name, channel: 'http' }
    if (!reserved.includes(input?.channel ?? '')) return input
    throw new BeckonError('not_allowed', `channel: ${input.channel} is not for a token.`)
  }

  /** A supervisor gives its agent less than it has itself. */
  async function createToken(input: Parameters<HubApi['tokens']['create']>[0]) {
    return input?.scope === 'ask' && input.run ? hub.tokens.create(input) : refuse('admin')
  }

  /** In another's run it would get the answers that were given there. */
  function inOwnRun<Input extends { run?: string | null | undefined }>(input: Input): Input {
    const wanted = typeof input === 'object' && input !== null ? (input.run ?? null) : null
    if (wanted === null && run === null) return input
    if (wanted !== null && wanted !== run) {
      throw new BeckonError(
        'not_allowed',
        run === null
          ? 'This token is bound to no run: leave the run out, or ask with the token of the run.'
          : `This token is bound to the run ${run} and asks in no other.`,
      )
    }
    return { ...input, run }
  }

  function runOf(filter: ListFilter): string {
    if (filter.run !== undefined && filter.run !== run) {
      throw new BeckonError('not_allowed', 'This token sees the requests of its own run only.')
    }
    return run ?? ''
  }

  async function refuseForeignValue(id: string) {
    const record = await store.read(view => view.request(id))
    if (!record || isMine(record) || (kind === 'token' && record.run !== null)) return
    throw new BeckonError(
      'not_allowed',
      `What was given to ${id} goes to the one who asked for it, and to nobody else.`,
    )
  }

  function isMine(record: RequestRecord): boolean {
    return kind === 'token' && record.scope === keySpace
  }

  /** What is not its own is not there: it is not even told that it exists. */
  function createOwn() {
    const known = new Map<string, boolean>()
    return { only, hears, know }

    async function only<T>(id: string, verb: () => Promise<T>): Promise<T> {
      if (!(await isOwn(id))) throw new BeckonError('not_found', `There is no request ${id}.`)
      return verb()
    }

    function hears(event: Event): boolean | Promise<boolean> {
      if (run !== null) return event.run === run
      if (event.request === null || event.run !== null) return false
      return known.get(event.request) ?? isOwn(event.request)
    }

    function know(id: string, isMine = true) {
      if (known.size >= mostKnown) known.clear()
      known.set(id, isMine)
    }

    async function isOwn(id: string): Promise<boolean> {
      const before = known.get(id)
      if (before !== undefined) return before
      const record = await store.read(view => view.request(id))
      if (!record) return false
      know(id, record.scope === keySpace)
      return record.scope === keySpace
    }
  }
}

const mostKnown = 10_000
const reserved = ['web', 'rule', 'policy']
