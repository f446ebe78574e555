import { randomUUID } from 'node:crypto'
import { type Action, type AskInput, BeckonError, type HubApi, invalid, type Request } from '../protocol/index.ts'
import { defaultPolicy } from '../rules/deadlines.ts'
import { waitAndListen, withCanReply } from '../rules/listening.ts'
import { askOutcome } from '../rules/outcome-value.ts'
import { endsInEffect } from '../rules/outcomes.ts'
import { type ParsedAsk, parseAsk } from '../rules/parse-ask.ts'
import { isEnd } from '../rules/run-status.ts'
import { keptLock, runLock } from '../store/locks.ts'
import type { RequestRecord, RunRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { answerRuleFor, settleByAnswerRule } from './answer-rules.ts'
import { insertFiles, listed, type NamedFile, nameFiles } from './attachments/attachments.ts'
import { type PreparedFile, prepareFiles, refuseTooMuch } from './attachments/prepare.ts'
import type { PreparedCallback } from './callbacks.ts'
import type { Caller } from './caller.ts'
import { contentOf, findEarlier, scopeOf } from './deduplicate.ts'
import { fileContextOf, type HostFiles } from './file-context.ts'
import { newId } from './ids.ts'
import type { Judging } from './judging.ts'
import { answerByRule } from './kept-values.ts'
import type { Sealing } from './sealing.ts'
import { summaryOf } from './summary.ts'
import { toRequest } from './to-protocol.ts'

export interface Raised {
  request: Request
  /** Whether the request was there before: this is the same ask. */
  joined: boolean
}

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  files: HostFiles | null
  onDeadline: () => void
  wait: HubApi['wait']
  messages: HubApi['messages']
  confirmDelivery: HubApi['confirmDelivery']
  use: HubApi['use']
  judging: Judging
  /** Checks and seals the address that the asker wants to be called at. */
  prepareCallback: (url: string | null | undefined) => Promise<PreparedCallback | null>
}

/** Stores a request before anybody can see it, or finds the earlier one that is the same ask. */
export function createAsk(options: Options) {
  const { store, sealing, caller, files, onDeadline, wait, messages, confirmDelivery, use, judging } = options
  const { prepareCallback } = options
  const verbs: Pick<HubApi, 'ask' | 'raise'> = {
    async ask(input, options = {}) {
      const raised = await verbs.raise(withCanReply(input, options))
      const settled = raised.status === 'pending' ? await waitAndListen({ wait, messages }, raised.id, options) : raised
      // Taken before the caller goes on: an answer that was used must not come back for the next ask like it, and a yes is
      // spent by being returned. A value stays sealed until somebody uses it.
      if (!endsInEffect(settled)) await confirmDelivery(settled.id)
      else if (settled.kind === 'approval') await use(settled.id, { nonce: randomUUID() })
      return askOutcome(settled)
    },

    raise: async input => (await raiseOrJoin(input)).request,
  }
  return { ...verbs, raiseOrJoin }

  async function raiseOrJoin(input: AskInput): Promise<Raised> {
    const parsed = parseAsk(input)
    const body = parsed.ask.kind === 'approval' ? await approvalBody(parsed.ask) : parsed.body
    const attached = prepareFiles(parsed.ask.attachments)
    refuseTooMuch(attached)
    const draft = draftOf({ ...parsed, body, files: attached }, caller)
    // A missing key is reported to the asker now, and not to the person who has just typed in the secret.
    const sealer = draft.kind === 'dependency' ? await store.read(view => sealing.sealer(view)) : null
    const takeUp = parsed.ask.kind === 'approval' && parsed.ask.takeUp
    const callback = await prepareCallback(parsed.ask.callbackUrl)
    let id: string | null = null
    const record = await store.change(
      async tx => {
        const stored = await storeOrJoin(tx)
        // Also where it joined: each caller is called at its own address, at once if the request is settled.
        await callback?.add(tx, stored.id)
        return stored
      },
      // A dependency may be answered with a kept value.
      [...lockOf(draft, takeUp), ...(sealer ? [keptLock] : [])],
    )
    if (record.due !== null) onDeadline()
    return { request: toRequest(record), joined: record.id !== id }

    async function storeOrJoin(tx: Transaction): Promise<RequestRecord> {
      // A retry after a broken connection may find it stored already; it keeps its id.
      const mine = id === null ? null : await tx.request(id)
      // Both at once: where the database is elsewhere, one after the other takes twice as long.
      const [same, rule] = mine
        ? [mine, null]
        : await Promise.all([findSame(tx, draft, takeUp), answerRuleFor(tx, draft, attached)])
      if (same) return refuseSpent(same)
      const createdAt = await tx.now()
      id ??= newId('req', createdAt)
      const named = nameFiles(attached, createdAt)
      const asked = { ...draft, id, createdAt, attachments: named.map(listed) }
      // What a rule answered is not what a person answered last time.
      if (rule) return settleByAnswerRule(tx, await insert(tx, { ...asked, sameQuestion: null }, named), rule)
      const fresh = await insert(tx, asked, named)
      if (!sealer) return fresh
      const context = fileContextOf(fresh, files)
      return answerByRule(tx, fresh, { sealer, token: caller.token, context })
    }
  }

  async function approvalBody(ask: Extract<ParsedAsk['ask'], { kind: 'approval' }>): Promise<RequestRecord['body']> {
    return { action: await judging.ask(ask), call: ask.call ?? null }
  }
}

/** A yes that was used is not a yes to the next ask with its key. */
function refuseSpent(earlier: RequestRecord): RequestRecord {
  if (earlier.kind !== 'approval' || earlier.usedAt === null) return earlier
  throw new BeckonError('used', `${earlier.id} was used already. Ask again with another key.`, { id: earlier.id })
}

async function findSame(tx: Transaction, draft: RequestRecord, takeUp: boolean): Promise<RequestRecord | null> {
  const run = draft.run === null ? null : await needActiveRun(tx, draft.run)
  return findEarlier(tx, draft, run, takeUp)
}

async function needActiveRun(tx: Transaction, id: string): Promise<RunRecord> {
  const run = await tx.run(id)
  if (!run) throw invalid([{ path: 'run', message: `there is no run ${id}` }])
  if (isEnd(run.status)) throw new BeckonError('not_allowed', `The run ${id} has ended; nobody would take the answer.`)
  return run
}

async function insert(tx: Transaction, fresh: RequestRecord, files: readonly NamedFile[]): Promise<RequestRecord> {
  const deadline = fresh.timeout === null ? null : fresh.createdAt + fresh.timeout
  const record = { ...fresh, deadline, due: deadline }
  await tx.insertRequest(record)
  await insertFiles(tx, record.id, files)
  if (record.run !== null && record.session !== null) await nameSession(tx, record.run, record.session)
  const data = { kind: record.kind, deadline: deadline === null ? null : new Date(deadline).toISOString() }
  tx.append({ type: 'request.created', request: record.id, run: record.run, data })
  return record
}

// A name that begins with a dash would be an option in the command that resumes the run.
const resumable = /^[\w.:]/

/** The first request that names the agent's session tells which session a run is. The caller holds the run's lock. */
async function nameSession(tx: Transaction, id: string, session: string): Promise<void> {
  const run = await tx.run(id)
  if (run?.session === null && resumable.test(session)) await tx.replaceRun({ ...run, session }, run.status)
}

type Draft = ParsedAsk & { files: readonly PreparedFile[] }

/** Two asks that may turn out to be the same must not be stored at the same time. */
function lockOf({ run, scope, key, content, kind }: RequestRecord, takeUp: boolean): string[] {
  // Nor while their run ends: nobody would settle what was asked in that moment.
  if (run !== null) return [runLock(run)]
  if (key !== null) return [`${scope}|key|${key}`]
  return kind === 'approval' && !takeUp ? [] : [`${scope}|content|${content}`]
}

function draftOf({ ask, body, hasDefaults, files }: Draft, caller: Caller): RequestRecord {
  const cwd = ask.agent.cwd ?? caller.directory
  const branch = ask.agent.branch ?? caller.branchOf?.(cwd)
  const name = ask.agent.name ?? caller.agent
  const agent = { name, cwd, path: ask.agent.path ?? [], ...(branch ? { branch } : {}) }
  const onTimeout = ask.onTimeout ?? defaultPolicy(ask.kind, ask.required, hasDefaults)
  if (onTimeout === 'default' && !hasDefaults) {
    throw invalid([{ path: 'onTimeout', message: 'cannot be "default" where no default is given' }])
  }
  const content = {
    kind: ask.kind,
    // What the hub found out about an action is not part of the ask.
    body:
      ask.kind === 'approval'
        ? { digest: (body.action as Action).digest, call: body.call, severity: ask.action.severity }
        : body,
    context: ask.context ?? null,
    required: ask.required,
    timeout: ask.timeout ?? null,
    onTimeout,
  }
  const run = ask.run ?? null
  const scope = scopeOf(run, caller.token, caller.user, agent.cwd)
  const session = ask.session ?? null
  return {
    ...content,
    body,
    content: contentOf(contentScope(), { ...content, files: files.map(({ hash }) => hash) }),
    id: '',
    run,
    status: 'pending',
    agent,
    session,
    scope,
    key: ask.key ?? null,
    user: caller.user,
    host: caller.host,
    deadline: null,
    due: null,
    createdAt: 0,
    settledAt: null,
    deliveredAt: null,
    deliveredStart: null,
    usedAt: null,
    useNonce: null,
    outcome: null,
    ...summaryOf({ ...content, body, agent, scope, session, hasFiles: files.length > 0 }),
    canReply: ask.canReply,
    messages: [],
    attachments: [],
    traceparent: caller.traceparent?.() ?? null,
  }
  /** A key names an ask in its whole scope, and a run is a session itself. */
  function contentScope(): string {
    if (run !== null || ask.key) return scope
    // One token may be used in many directories; the same content in another directory is not the same ask.
    const directory = caller.token === null ? scope : `${scope}:${agent.cwd}`
    return session === null ? directory : JSON.stringify([directory, session])
  }
}
