import { BeckonError, type HubApi, type ListFilter, type Request } from '../protocol/index.ts'
import { observed } from '../store/observed.ts'
import type { Store } from '../store/store.ts'
import { createAccess } from './access/access.ts'
import type { Grant } from './access/grant.ts'
import { createTokens } from './access/tokens.ts'
import { createAnswer } from './answer.ts'
import { createRules, type WritableRules } from './approval-rules.ts'
import { createAsk } from './ask.ts'
import { createAttachments } from './attachments/attachments.ts'
import { type CheckCallback, createCallbacks } from './callbacks.ts'
import type { Caller } from './caller.ts'
import { type ChatStore, createChat } from './chat.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createDelivery } from './deliver.ts'
import { createDrafts } from './drafts.ts'
import { createEarlier } from './earlier.ts'
import { createEvents } from './events.ts'
import type { HostFiles } from './file-context.ts'
import { createInbox } from './inbox.ts'
import { createJudging } from './judging.ts'
import { createKeptValues } from './kept-values.ts'
import { createMessages } from './messages.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createPairings, type PreparePairing } from './pairings.ts'
import { restrictHub } from './permissions/restrict-hub.ts'
import { createRequests, listRequests } from './requests.ts'
import { createRunLogs } from './run-logs.ts'
import { createRuns } from './runs.ts'
import type { Sealing } from './sealing.ts'
import { createSearchIndexing } from './search-indexing.ts'
import type { RestrictedHub, SharedHub } from './shared-hub.ts'
import { createShortIds } from './short-ids.ts'
import { createSnooze } from './snooze.ts'
import { createStatistics } from './statistics.ts'
import { createSweeper } from './sweeper.ts'
import { createTargets, type SendTest } from './targets.ts'
import { createWaiters, type Sleep } from './waiters.ts'

export interface HubOptions {
  store: Store
  sealing: Sealing
  /** Who uses this hub, unless a call says otherwise. */
  caller: Caller
  /** Without it, no path is looked up. */
  files?: HostFiles | null
  /** The environment of this machine, which says what a command of an asker on it would do. */
  env?: NodeJS.ProcessEnv
  sendTest?: SendTest
  preparePairing?: PreparePairing
  /** Which addresses askers may be called at; none unless given. */
  checkCallback?: CheckCallback
  /** Called after this hub's own caller settled a request, or asked back on one; that call waits for it. */
  onSettled?: (request: Request) => Promise<void>
  /** Whether this hub fires deadlines, and builds the index of searches. */
  sweeps?: boolean
  /** How a wait with a limit sleeps; by the machine's timers unless given. */
  sleep?: Sleep
  /** Called after a deadline settled a request. */
  onDeadlineSettled?: (request: Request) => void
}

// Milliseconds that opening a hub may spend on deadlines.
const firstSweep = 100

/** The hub in process. Beyond HubApi it serves callers over HTTP, adds rules, fires deadlines on demand, and lends its outbox and what chats need. */
export interface Hub extends SharedHub {
  rules: WritableRules
  /** The user of its caller. */
  user: string
  /** Fires every deadline that has passed; returns how many. */
  sweep(): Promise<number>
  outbox: Outbox
  chat: ChatStore
}

/** Assembles the hub over a store. Deadlines that passed while nothing ran fire before it returns. */
export async function createHub({
  store: given,
  sealing,
  caller,
  files = null,
  env = {},
  sendTest = refuseToSend,
  preparePairing = refuseToSend,
  checkCallback = async () => 'cannot be used: this hub calls nobody',
  onSettled = async () => {},
  sweeps = true,
  sleep,
  onDeadlineSettled = () => {},
}: HubOptions): Promise<Hub> {
  const { host } = caller
  const store = observed(given)
  const sweeper = createSweeper(store, onDeadlineSettled)
  const searchIndexing = createSearchIndexing(store)
  const onDeadline = () => sweeps && sweeper.reschedule()
  const waiters = createWaiters(store, events => events.some(event => event.data.deadline) && onDeadline(), sleep)
  const { close: closeEvents, eventPage, ...events } = createEvents(store)
  const requests = createRequests({ store, onDeadline, onDeadlineSettled })
  const earlier = createEarlier(store)
  const shortIds = createShortIds(store)
  const attachments = createAttachments(store)
  const logs = createRunLogs(store)
  const checkpoints = createCheckpoints(store)
  if (sweeps) {
    // After a long pause thousands may be due: nobody waits for all of them.
    await sweeper.sweep(firstSweep).catch(ignoreUnwritable)
    sweeper.reschedule()
    searchIndexing.start()
  }

  const own = apiFor(caller, onSettled)
  return {
    ...own.api,
    rules: createRules({ store, caller }),
    user: caller.user,
    as,
    access: createAccess(store),
    probe: store.probe,
    statistics: createStatistics(store),
    observeStore: store.observe,
    sweep: () => sweeper.sweep(),
    outbox: createOutbox(store, sealing),
    chat: createChat(store, sealing),
  }

  /** Over HTTP only the caller knows which machine it is on, so this host looks up none of its paths. */
  function as(grant: Grant): RestrictedHub {
    const channel = grant.kind === 'session' ? 'web' : 'http'
    const remote = {
      user: grant.name,
      host: '',
      directory: '/',
      agent: grant.name,
      channel,
      token: grant.id,
      boundTo: grant.run,
      ...(caller.traceparent ? { traceparent: caller.traceparent } : {}),
    }
    const listOf = (filter: ListFilter, keySpace: string) => listRequests(store, filter, keySpace)
    const { api, raiseOrJoin } = apiFor(remote)
    return restrictHub({ store, hub: { ...api, raiseOrJoin, eventPage }, listOf, grant })
  }

  function apiFor(caller: Caller, afterSettling?: (request: Request) => Promise<void>) {
    const { wait } = waiters
    const delivery = createDelivery({ store, sealing, caller })
    const { confirmDelivery, use } = delivery
    const judging = createJudging({ store, caller, host, env })
    const messages = createMessages({ store, caller, afterSending: afterSettling })
    const { callbacks, prepare } = createCallbacks({ store, sealing, caller, check: checkCallback })
    const asking = { store, sealing, caller, files, onDeadline, wait, messages, confirmDelivery, use, judging }
    const { raise, raiseOrJoin, ask } = createAsk({ ...asking, prepareCallback: prepare })
    const { list, remove } = createRules({ store, caller })
    const api: HubApi = {
      raise,
      ask,
      wait,
      ...createAnswer({
        ...{ store, sealing, caller, files, judging, afterSettling, onDeadlineSettled },
        onSettled: waiters.resolve,
      }),
      judge: judging.edit,
      messages,
      drafts: createDrafts({ store, caller }),
      attachments,
      ...requests,
      ...earlier,
      ...shortIds,
      ...createInbox({ store, caller }),
      ...createSnooze({ store, caller }),
      ...events,
      ...delivery,
      kept: createKeptValues(store, caller),
      rules: { list, remove },
      runs: createRuns({ store, caller }),
      logs,
      checkpoints,
      tokens: createTokens(store, caller),
      ...createTargets({ store, sealing, caller, sendTest, host }),
      pairings: createPairings({ store, sealing, caller, preparePairing }),
      callbacks,
      close,
    }
    return { api, raiseOrJoin, judging }
  }

  async function close() {
    closeEvents()
    waiters.close()
    await sweeper.close()
    await searchIndexing.close()
    await store.close()
  }
}

/** Deadlines stay due until somebody can fire them; until then, everybody can read. */
function ignoreUnwritable(error: unknown): void {
  if (!(error instanceof BeckonError) || !['disk_full', 'read_only'].includes(error.code)) throw error
}

async function refuseToSend(): Promise<never> {
  throw new BeckonError('unsupported', 'This hub sends no messages.')
}
