import {
  type AskInput,
  BeckonError,
  type Event,
  type HubApi,
  type ListFilter,
  type Scope,
} from '../../protocol/index.ts'
import type { Store } from '../../store/store.ts'
import type { Grant, GuestHub } from '../access.ts'
import { scopeOf } from '../deduplicate.ts'
import { createHearing } from './visible-events.ts'

interface Options {
  store: Store
  hub: HubApi & Pick<GuestHub, 'raiseOrJoin'>
  /** Lists only what was asked in a key space. */
  listOf: (filter: ListFilter, scope: string) => ReturnType<HubApi['list']>
  grant: Grant
  refuse: (needed: Scope) => Promise<never>
}

/**
 * The hub as a supervisor on another machine has it: it starts runs and looks after those that it started, asks for them,
 * and hands them what they were given. It answers nothing, and sees nothing else: whoever takes its token, such as
 * the agent beside it, can do no more.
 */
export function createRunnerHub({ store, hub, listOf, grant, refuse }: Options): GuestHub {
  const { id: token } = grant
  const keySpace = scopeOf(null, token, '', '')
  /** Nobody but its owner starts a run again in its own name: what is not its own never will be. */
  const known = new Map<string, boolean>()
  const needsAnswer = () => refuse('answer')
  const needsAdmin = () => refuse('admin')
  return {
    raise: async input => hub.raise(await inOwnRun(input)),
    raiseOrJoin: async input => hub.raiseOrJoin(await inOwnRun(input)),
    ask: async (input, options) => hub.ask(await inOwnRun(input), options),
    wait: (id, options) => ofOwn(id, () => hub.wait(id, options)),
    get: id => ofOwn(id, () => hub.get(id)),
    // What an agent withdraws, no person withdrew.
    cancel: (id, input) => ofOwn(id, () => hub.cancel(id, { ...input, by: grant.name, channel: 'http' })),
    confirmDelivery: id => ofOwn(id, () => hub.confirmDelivery(id)),
    use: (id, options) => ofOwn(id, () => hub.use(id, options)),
    allowByRule: (id, rule) => ofOwn(id, () => hub.allowByRule(id, rule)),
    rules: { list: () => hub.rules.list(), remove: needsAnswer },
    list: async (filter = {}) => {
      if (filter.search) return needsAnswer()
      if (filter.run === undefined) return listOf(filter, keySpace)
      return ofOwnRun(filter.run, () => hub.list(filter))
    },
    ...createHearing(hub, hears),
    runs: {
      start: async input =>
        input?.again === undefined ? hub.runs.start(input) : ofOwnRun(input.again, () => hub.runs.start(input)),
      get: id => ofOwnRun(id, () => hub.runs.get(id)),
      list: filter => hub.runs.list({ ...filter, token }),
      change: (id, input) => ofOwnRun(id, () => hub.runs.change(id, input)),
    },
    logs: {
      append: (id, input) => ofOwnRun(id, () => hub.logs.append(id, input)),
      read: (id, options) => ofOwnRun(id, () => hub.logs.read(id, options)),
    },
    checkpoints: {
      save: async input => ofOwnRun(input?.run, () => hub.checkpoints.save(input)),
      list: (id, options) => ofOwnRun(id, () => hub.checkpoints.list(id, options)),
      get: async id => {
        const checkpoint = await hub.checkpoints.get(id)
        if (await isOwnRun(checkpoint.run)) return checkpoint
        throw new BeckonError('not_found', `There is no checkpoint ${id}.`)
      },
    },
    tokens: {
      /** A supervisor gives its agent less than it has itself. */
      create: async input =>
        input?.scope === 'ask' && input.run ? ofOwnRun(input.run, () => hub.tokens.create(input)) : needsAdmin(),
      list: needsAdmin,
      revoke: needsAdmin,
    },
    answer: needsAnswer,
    skip: needsAnswer,
    decline: needsAnswer,
    drafts: { save: needsAnswer, get: needsAnswer },
    reschedule: needsAnswer,
    kept: { list: needsAnswer, forget: needsAnswer },
    push: { key: needsAnswer, subscribe: needsAnswer, unsubscribe: needsAnswer },
    targets: { add: needsAdmin, list: needsAdmin, remove: needsAdmin, test: needsAdmin },
    close: hub.close,
  }

  /** In another's run it would get the answers that were given there. */
  async function inOwnRun(input: AskInput): Promise<AskInput> {
    const run = typeof input === 'object' && input !== null ? (input.run ?? null) : null
    if (run === null || (await isOwnRun(run))) return input
    throw new BeckonError('not_allowed', `This token did not start ${run}, and asks in no run but its own.`)
  }

  async function ofOwnRun<T>(id: string, verb: () => Promise<T>): Promise<T> {
    if (await isOwnRun(id)) return verb()
    throw new BeckonError('not_found', `There is no run ${id}.`)
  }

  async function ofOwn<T>(id: string, verb: () => Promise<T>): Promise<T> {
    if (await isOwnRequest(id)) return verb()
    throw new BeckonError('not_found', `There is no request ${id}.`)
  }

  async function isOwnRun(id: string): Promise<boolean> {
    const before = known.get(id)
    if (before !== undefined) return before
    const record = await store.read(view => view.run(String(id)))
    if (!record) return false
    if (known.size >= mostKnown) known.clear()
    known.set(id, record.token === token)
    return record.token === token
  }

  async function isOwnRequest(id: string): Promise<boolean> {
    const record = await store.read(view => view.request(id))
    if (!record) return false
    return record.scope === keySpace || (record.run !== null && isOwnRun(record.run))
  }

  async function hears({ run, request }: Event): Promise<boolean> {
    if (run !== null) return isOwnRun(run)
    return request !== null && isOwnRequest(request)
  }
}

const mostKnown = 10_000
