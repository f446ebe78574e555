import {
  type AskInput,
  BeckonError,
  type Checkpoint,
  type Draft,
  type Event,
  type HubApi,
  type Kept,
  type LogEnd,
  type LogPage,
  type NewTarget,
  type NewToken,
  type Outcome,
  type Request,
  type RequestPage,
  type Rule,
  type Run,
  type Settlement,
  type Target,
  type TargetTest,
  type Token,
  timeout as timeoutSchema,
  type Used,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { endsInEffect } from '../rules/outcomes.ts'
import { createCaller } from './call.ts'
import { followEvents } from './following.ts'
import { waitFor } from './waiting.ts'

export interface HttpHubOptions {
  url: string
  token?: string | null
  /** Who asks, for requests that do not say. */
  agent?: string
  directory?: string
  host?: string
  /** Who answers and by what way, where that is not simply the token and HTTP. */
  user?: string | null
  channel?: string | null
  fetch?: typeof fetch
}

type Body = object | undefined

/** The hub over HTTP: the same verbs, spoken to a server. Runs in Node and in a browser. */
export function createHttpHub(options: HttpHubOptions): HubApi {
  const { url, token = null, agent, directory, host, user, channel } = options
  const caller = createCaller({ url, token, fetch: options.fetch ?? globalThis.fetch })
  const { call } = caller
  const voice = { ...(user ? { by: user } : {}), ...(channel ? { channel } : {}) }
  const hub: HubApi = {
    raise,
    ask,
    wait: async (id, options = {}) => waitFor(caller, checked(id), options),
    answer: (id, input) => settle(id, 'answer', input),
    skip: (id, input) => settle(id, 'skip', input),
    decline: (id, input) => settle(id, 'decline', input),
    cancel: (id, input) => settle(id, 'cancel', input),
    allowByRule: (id, rule) => settle(id, 'rule', { rule }, {}),
    drafts: {
      save: async (id, draft) => {
        await put(id, 'draft', { ...(user ? { by: user } : {}), ...draft })
      },
      get: async id => (await get<{ draft: Draft | null }>(`${pathOf(id)}/draft`)).draft,
    },
    get: async id => get<Request>(pathOf(id)),
    list: (filter = {}) => get<RequestPage>(`/api/requests${queryOf(filter)}`),
    events,
    follow: options => followEvents(caller, options),
    confirmDelivery: id => put<Request>(id, 'delivery', {}),
    use: async (id, options = {}) => (await call('POST', `${pathOf(id)}/value`, { body: options })).body as Used,
    reschedule: async (id, timeout) => {
      const checked = timeout === null ? null : parse(timeoutSchema, timeout)
      return put<Request>(id, 'deadline', { timeout: checked })
    },
    kept: {
      list: async () => (await get<{ kept: Kept[] }>('/api/kept')).kept,
      forget: async name => {
        const path = `/api/kept/${encodeURIComponent(name.toWellFormed())}`
        return ((await call('DELETE', path)).body as { kept: Kept }).kept
      },
    },
    rules: {
      list: async (options = {}) => (await get<{ rules: Rule[] }>(`/api/rules${queryOf(options)}`)).rules,
      remove: async id => ((await call('DELETE', pathOf(id, 'rules'))).body as { rule: Rule }).rule,
    },
    runs: {
      start: async input =>
        (await call('POST', '/api/runs', { body: { ...(host ? { host } : {}), ...input } })).body as Run,
      get: id => get<Run>(pathOf(id, 'runs')),
      list: async (filter = {}) => (await get<{ runs: Run[] }>(`/api/runs${queryOf(filter)}`)).runs,
      change: async (id, input) =>
        (await call('PATCH', pathOf(id, 'runs'), { body: input, repeatable: false })).body as Run,
    },
    logs: {
      // A piece that was added is not added again: it does not begin where the log ends.
      append: async (run, input) =>
        (await call('POST', `${pathOf(run, 'runs')}/log`, { body: input, repeatable: true })).body as LogEnd,
      read: async (run, { signal, ...options } = {}) =>
        (await call('GET', `${pathOf(run, 'runs')}/log${queryOf(options)}`, { signal })).body as LogPage,
    },
    checkpoints: {
      save: async input => {
        const { run, ...body } = input
        return (await call('POST', `${pathOf(run, 'runs')}/checkpoints`, { body })).body as Checkpoint
      },
      get: id => get<Checkpoint>(pathOf(id, 'checkpoints')),
      list: async (run, options = {}) => {
        const path = `${pathOf(run, 'runs')}/checkpoints${queryOf(options)}`
        return (await get<{ checkpoints: Checkpoint[] }>(path)).checkpoints
      },
    },
    tokens: {
      create: async input => (await call('POST', '/api/tokens', { body: input })).body as NewToken,
      list: async () => (await get<{ tokens: Token[] }>('/api/tokens')).tokens,
      revoke: async id => ((await call('DELETE', pathOf(id, 'tokens'))).body as { token: Token }).token,
    },
    targets: {
      add: async input => (await call('POST', '/api/notify', { body: input })).body as NewTarget,
      list: async () => (await get<{ targets: Target[] }>('/api/notify')).targets,
      remove: async name => ((await call('DELETE', targetPath(name))).body as { target: Target }).target,
      // The server knows best where its inbox is.
      test: async name => (await call('POST', `${targetPath(name)}/test`, { body: {} })).body as TargetTest,
    },
    push: {
      key: async () => (await get<{ key: string }>('/api/push/key')).key,
      subscribe: async input =>
        ((await call('POST', '/api/push/subscriptions', { body: input, repeatable: true })).body as { target: Target })
          .target,
      unsubscribe: async endpoint =>
        ((await call('DELETE', '/api/push/subscriptions', { body: { endpoint } })).body as { removed: boolean })
          .removed,
    },
    close: async () => caller.close(),
  }
  return hub

  async function raise(input: AskInput): Promise<Request> {
    const from = { ...(agent ? { name: agent } : {}), ...(directory ? { cwd: directory } : {}), ...input?.agent }
    // The same content is the same ask, except that no approval is ever joined.
    const repeatable = input?.kind !== 'approval'
    return (await call('POST', '/api/requests', { body: { ...input, agent: from }, repeatable })).body as Request
  }

  /** A page without an event of ours is not the end, as long as it led on. */
  async function events({ since = 0, ...options }: Parameters<HubApi['events']>[0] = {}): Promise<Event[]> {
    const page = await get<{ events: Event[]; last: number }>(`/api/events${queryOf({ since, ...options })}`)
    return page.events.length > 0 || page.last === since ? page.events : events({ since: page.last, ...options })
  }

  async function ask(input: AskInput, options: { signal?: AbortSignal } = {}): Promise<Outcome> {
    const raised = await raise(input)
    const settled = raised.status === 'pending' ? await waitFor(caller, raised.id, options) : raised
    if (!endsInEffect(settled)) await hub.confirmDelivery(settled.id)
    if (!settled.outcome) throw new BeckonError('damaged', `${settled.id} is settled and has no outcome.`)
    return settled.outcome
  }

  async function settle(id: string, verb: string, input: Body, actor: object = voice): Promise<Settlement> {
    try {
      const { body, headers } = await call('PUT', `${pathOf(id)}/${verb}`, { body: { ...actor, ...input } })
      const replay = headers.get('beckon-replay') === 'true'
      const kept = headers.get('beckon-kept')
      const name = kept === null ? {} : { kept: decodeURIComponent(kept) }
      return { won: !replay, replay, request: body as Request, ...name }
    } catch (error) {
      if (!(error instanceof BeckonError) || error.code !== 'settled_otherwise') throw error
      return { won: false, replay: false, request: (error.details as { request: Request }).request }
    }
  }

  async function get<T>(path: string): Promise<T> {
    return (await call('GET', path)).body as T
  }

  async function put<T>(id: string, verb: string, body: Body): Promise<T> {
    return (await call('PUT', `${pathOf(id)}/${verb}`, { body })).body as T
  }
}

function targetPath(name: string): string {
  return `/api/notify/${encodeURIComponent(name.toWellFormed())}`
}

function pathOf(id: string, what = 'requests'): string {
  return `/api/${what}/${checked(id)}`
}

/** What is no id is the id of nothing, and must not become another path. */
function checked(id: string): string {
  if (/^[\w-]{1,100}$/.test(id)) return id
  throw new BeckonError('not_found', `There is no ${JSON.stringify(id)}.`)
}

function queryOf(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return given.length === 0 ? '' : `?${query}`
}
