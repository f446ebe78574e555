import {
  BeckonError,
  type ChangeRunInput,
  changeRunSchema,
  type HubApi,
  type ListFilter,
  type Outcome,
  type Request,
  type Run,
  startRunSchema,
  timeout as timeoutSchema,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { RunRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { createAccess } from './access/access.ts'
import type { Grant } from './access/grant.ts'
import { createTokens } from './access/tokens.ts'
import { createAnswering } from './answer.ts'
import { createRules, type WritableRules } from './approval-rules.ts'
import { createRaising } from './ask.ts'
import type { Caller } from './caller.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createTaking, endsInEffect } from './deliver.ts'
import { createDrafts } from './drafts.ts'
import type { Files } from './file-context.ts'
import { createFollowing } from './follow.ts'
import { createKeptValues } from './kept-values.ts'
import { listRequests, mostOfAPage, pageSize } from './list.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { restrictHub } from './permissions/restrict-hub.ts'
import { createRunLogs } from './run-logs.ts'
import { changeRun, needRun, startRun } from './runs.ts'
import type { Sealing } from './sealing.ts'
import type { RestrictedHub, SharedHub } from './shared-hub.ts'
import { createSweeper } from './sweeper.ts'
import { createTargets, type SendTest } from './targets.ts'
import { showEvent, showRequest, showRun } from './to-protocol.ts'
import { createWaiters } from './waiters.ts'

export interface HubOptions {
  store: Store
  sealing: Sealing
  /** Who speaks through this hub, unless a call says otherwise. */
  caller: Caller
  files?: Files
  sendTest?: SendTest
  /** Whether this hub fires deadlines by itself. */
  sweeps?: boolean
}

/** The hub in process, and what only it can do: let guests in, keep rules, and fire what is due right now. */
export interface Hub extends SharedHub {
  rules: WritableRules
  /** Who speaks through it. */
  user: string
  sweep(): Promise<number>
  /** For what sends messages to people. */
  outbox: Outbox
}

/** The hub over a store. Deadlines that passed while nothing ran fire before it is handed out. */
export async function createHub({
  store,
  sealing,
  caller,
  files = {},
  sendTest = sendsNothing,
  sweeps = true,
}: HubOptions): Promise<Hub> {
  const sweeper = createSweeper(store)
  const waiters = createWaiters(store, events => {
    if (sweeps && events.some(event => event.data.deadline)) sweeper.poke()
  })
  const following = createFollowing(store)
  const tokens = createTokens(store)
  const logs = createRunLogs(store)
  const taking = createTaking({ store, sealing })
  if (sweeps) {
    await sweeper.sweep()
    sweeper.poke()
  }

  return {
    ...speakAs(caller),
    rules: createRules({ store, caller }),
    user: caller.user,
    as,
    access: createAccess(store),
    sweep: sweeper.sweep,
    outbox: createOutbox(store, sealing),
  }

  function raisingBy(caller: Caller) {
    return createRaising({ store, sealing, caller, files, onDeadline: () => sweeps && sweeper.poke() })
  }

  function speakAs(caller: Caller): HubApi {
    const { raise } = raisingBy(caller)
    const { list, remove } = createRules({ store, caller })
    return {
      raise,
      ask: (input, options) => ask(raise, input, options),
      wait: waiters.wait,
      ...createAnswering({ store, sealing, caller, files, onSettled: waiters.tell }),
      drafts: createDrafts({ store, caller }),
      get,
      list: filter => listRequests(store, filter),
      events: async ({ since = 0, limit = mostOfAPage } = {}) =>
        (await store.read(view => view.events(since, pageSize(limit)))).map(showEvent),
      follow: following.follow,
      ...taking,
      kept: createKeptValues(store, caller),
      rules: { list, remove },
      reschedule,
      runs: {
        start: async input => {
          const start = parse(startRunSchema, input)
          let started: RunRecord | null = null
          const run = await store.change(async tx => {
            // The word of our commit was lost: it has started already.
            const stored = tx.happened && started && (await tx.run(started.id))
            if (stored && stored.start === started?.start) return stored
            started = await startRun(tx, start, caller)
            return started
          }, start.again)
          return showRun(run, [])
        },
        get: id => store.read(async view => showRun(await needRun(view, id), await view.openOfRun(id))),
        list: ({ active = false, awake = false, ready = false, limit = mostOfAPage, ...whose } = {}) =>
          store.read(async view => {
            const { host = null, local = false, token = null } = whose
            const size = pageSize(limit)
            const which = ready ? 'ready' : awake ? 'awake' : active ? 'active' : 'all'
            const runs = await view.runs({ which, host, local, token, limit: size })
            return Promise.all(runs.map(async run => showRun(run, await view.openOfRun(run.id))))
          }),
        change,
        pause: (id, reason = null) => change(id, { status: 'paused', reason }),
        resume: (id, reason = null) => change(id, { status: 'running', reason }),
        stop: (id, reason = null) => change(id, { status: 'stopped', reason }),
      },
      logs,
      checkpoints: createCheckpoints(store),
      tokens,
      ...createTargets({ store, sealing, caller, sendTest }),
      close,
    }
  }

  /** Only the caller knows which machine it is on, so no path of its is looked up here. */
  function as(grant: Grant): RestrictedHub {
    const channel = grant.kind === 'session' ? 'web' : 'http'
    const caller = { user: grant.name, host: '', directory: '/', agent: grant.name, channel, token: grant.id }
    const listOf = (filter: ListFilter, keySpace: string) => listRequests(store, filter, keySpace)
    const { raiseOrJoin } = raisingBy(caller)
    return restrictHub({ store, hub: { ...speakAs(caller), raiseOrJoin }, listOf, grant })
  }

  async function change(id: string, input: ChangeRunInput): Promise<Run> {
    const change = parse(changeRunSchema, input)
    // By one at a time: two changes of different things must not undo each other.
    return store.change(async tx => showRun(await changeRun(tx, id, change), await tx.openOfRun(id)), id)
  }

  async function ask(
    raise: HubApi['raise'],
    input: Parameters<HubApi['ask']>[0],
    options: { signal?: AbortSignal } = {},
  ): Promise<Outcome> {
    const raised = await raise(input)
    const settled = raised.status === 'pending' ? await waiters.wait(raised.id, options) : raised
    // Confirmed before the caller goes on: an answer that was used must not come back for the next ask like it.
    if (!endsInEffect(settled)) await taking.confirmDelivery(settled.id)
    if (!settled.outcome) throw new BeckonError('damaged', `${settled.id} is settled and has no outcome.`)
    return settled.outcome
  }

  async function get(id: string): Promise<Request> {
    const record = await store.read(view => view.request(id))
    if (!record) throw new BeckonError('not_found', `There is no request ${id}.`)
    return showRequest(record)
  }

  async function reschedule(id: string, wish: number | null): Promise<Request> {
    const timeout = wish === null ? null : parse(timeoutSchema, wish)
    const record = await store.change(async tx => {
      const due = timeout === null ? null : { timeout, due: (await tx.now()) + timeout }
      return (await tx.reschedule(id, due)) ?? tx.request(id)
    })
    if (!record) throw new BeckonError('not_found', `There is no request ${id}.`)
    if (sweeps) sweeper.poke()
    return showRequest(record)
  }

  async function close() {
    following.close()
    waiters.close()
    await sweeper.close()
    await store.close()
  }
}

async function sendsNothing(): Promise<never> {
  throw new BeckonError('unsupported', 'This hub sends no messages.')
}
