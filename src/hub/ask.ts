import { type AskInput, BeckonError, invalid, type Request } from '../protocol/index.ts'
import { usualPolicy } from '../rules/deadlines.ts'
import { type ParsedAsk, parseAsk } from '../rules/parse-ask.ts'
import type { RequestRecord, RunRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { contentOf, findEarlier, scopeOf } from './deduplicate.ts'
import { type Files, placeOf } from './file-context.ts'
import { newId } from './ids.ts'
import { answerByRule } from './kept-values.ts'
import { hasEnded } from './runs.ts'
import type { Sealing } from './sealing.ts'
import { showRequest } from './to-protocol.ts'

export interface Raised {
  request: Request
  /** It was there before: this is the same ask. */
  joined: boolean
}

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  files: Files
  onDeadline: () => void
}

/** Stores a request before anybody hears of it, or finds the one that is the same ask. */
export function createRaising({ store, sealing, caller, files, onDeadline }: Options) {
  return { raise: async (input: AskInput) => (await raiseOrJoin(input)).request, raiseOrJoin }

  async function raiseOrJoin(input: AskInput): Promise<Raised> {
    const parsed = parseAsk(input)
    const draft = draftOf(parsed, caller)
    // Told now rather than to the person who types in the secret.
    const sealer = draft.kind === 'dependency' ? await store.read(view => sealing.sealer(view)) : null
    const takeUp = parsed.ask.kind === 'approval' && parsed.ask.takeUp
    let id: string | null = null
    const record = await store.change(
      async tx => {
        // Tried again after a broken connection, it may be stored already, and keeps its id.
        const earlier = (id === null ? null : await tx.request(id)) ?? (await findSame(tx, draft, takeUp))
        if (earlier) return earlier
        const createdAt = await tx.now()
        id ??= newId('req', createdAt)
        const fresh = await insert(tx, { ...draft, id, createdAt })
        if (!sealer) return fresh
        return answerByRule(tx, fresh, { sealer, token: caller.token, place: placeOf(fresh, caller, files) })
      },
      lockOf(draft, takeUp),
    )
    if (record.due !== null) onDeadline()
    return { request: showRequest(record), joined: record.id !== id }
  }
}

async function findSame(tx: Transaction, draft: RequestRecord, takeUp: boolean): Promise<RequestRecord | null> {
  const run = draft.run === null ? null : await liveRun(tx, draft.run)
  return findEarlier(tx, draft, run, takeUp)
}

async function insert(tx: Transaction, fresh: RequestRecord): Promise<RequestRecord> {
  const deadline = fresh.timeout === null ? null : fresh.createdAt + fresh.timeout
  const record = { ...fresh, deadline, due: deadline }
  await tx.insertRequest(record)
  const data = { kind: record.kind, deadline: deadline === null ? null : new Date(deadline).toISOString() }
  tx.append({ type: 'request.created', request: record.id, run: record.run, data })
  return record
}

/** Two asks that may turn out to be the same must not be stored at the same time. */
function lockOf({ run, scope, key, content, kind }: RequestRecord, takeUp: boolean): string | undefined {
  // Nor while their run ends: nobody would settle what was asked in that moment.
  if (run !== null) return run
  if (key !== null) return `${scope}|key|${key}`
  return kind === 'approval' && !takeUp ? undefined : `${scope}|content|${content}`
}

function draftOf({ ask, body, hasDefaults }: ParsedAsk, caller: Caller): RequestRecord {
  const agent = {
    name: ask.agent.name ?? caller.agent,
    cwd: ask.agent.cwd ?? caller.directory,
    path: ask.agent.path ?? [],
  }
  const onTimeout = ask.onTimeout ?? usualPolicy(ask.kind, ask.required, hasDefaults)
  if (onTimeout === 'default' && !hasDefaults) {
    throw invalid([{ path: 'onTimeout', message: 'cannot be "default" where no default is given' }])
  }
  const content = {
    kind: ask.kind,
    body,
    context: ask.context ?? null,
    required: ask.required,
    timeout: ask.timeout ?? null,
    onTimeout,
  }
  const run = ask.run ?? null
  const scope = scopeOf(run, caller.token, caller.user, agent.cwd)
  // One token may be used in many directories, and what is asked alike there is not the same ask.
  const place = run === null && caller.token !== null && !ask.key ? `${scope}:${agent.cwd}` : scope
  return {
    ...content,
    content: contentOf(place, content),
    id: '',
    run,
    status: 'pending',
    agent,
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
    outcome: null,
  }
}

async function liveRun(tx: Transaction, id: string): Promise<RunRecord> {
  const run = await tx.run(id)
  if (!run) throw invalid([{ path: 'run', message: `there is no run ${id}` }])
  if (hasEnded(run)) throw new BeckonError('not_allowed', `The run ${id} has ended; nobody would take the answer.`)
  return run
}
