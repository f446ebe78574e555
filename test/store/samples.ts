import { outcome } from '../../src/rules/outcomes.ts'
import { collectGarbage } from '../../src/store/collect-garbage.ts'
import type { CheckpointRecord, DraftRecord, RequestRecord, RunRecord, TokenRecord } from '../../src/store/records.ts'
import type { Store } from '../../src/store/store.ts'

let count = 0

/** A pending question, with the given differences. */
export function sampleRequest(differs: Partial<RequestRecord> = {}): RequestRecord {
  count += 1
  return {
    id: `req_${String(count).padStart(6, '0')}`,
    run: null,
    kind: 'question',
    status: 'pending',
    required: true,
    body: { questions: [] },
    context: null,
    agent: { name: 'shell', cwd: '/', path: [] },
    session: null,
    scope: 'user:me:/',
    key: null,
    content: `content ${count}`,
    user: 'me',
    host: 'here',
    timeout: null,
    onTimeout: 'remind',
    deadline: null,
    due: null,
    createdAt: count,
    settledAt: null,
    deliveredAt: null,
    deliveredStart: null,
    usedAt: null,
    useNonce: null,
    outcome: null,
    title: null,
    danger: 0,
    alike: null,
    sameQuestion: null,
    detail: null,
    parts: 1,
    canReply: false,
    messages: [],
    attachments: [],
    traceparent: null,
    ...differs,
  }
}

export function sampleRun(differs: Partial<RunRecord> = {}): RunRecord {
  count += 1
  return {
    id: `run_${String(count).padStart(6, '0')}`,
    name: 'agent',
    status: 'running',
    command: ['agent', '--go'],
    cwd: '/',
    host: 'here',
    user: 'me',
    pid: 1,
    session: null,
    exitCode: null,
    reason: null,
    resumeCommand: null,
    sleeps: false,
    start: 1,
    startedAt: count,
    endedAt: null,
    token: null,
    ...differs,
  }
}

export function sampleCheckpoint(run: string, differs: Partial<CheckpointRecord> = {}): CheckpointRecord {
  count += 1
  return {
    id: `chk_${String(count).padStart(6, '0')}`,
    run,
    start: 1,
    at: count,
    reason: 'request',
    requests: [],
    command: ['agent', '--go'],
    cwd: '/',
    host: 'here',
    environment: ['HOME', 'PATH'],
    session: null,
    logPosition: null,
    snapshot: null,
    note: null,
    ...differs,
  }
}

export function sampleToken(differs: Partial<TokenRecord>): TokenRecord {
  count += 1
  return {
    id: `tok_${String(count).padStart(6, '0')}`,
    kind: 'token',
    name: 'agent',
    scope: 'ask',
    run: null,
    parent: null,
    hash: `hash ${count}`,
    createdAt: count,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    device: null,
    page: null,
    ...differs,
  }
}

export function sampleDraft(request: string, text: string): DraftRecord {
  return { request, answers: [{ id: 'q1', selected: [], text, note: null }], note: null, by: 'me', at: 1 }
}

export async function stored(store: Store, differs: Partial<RequestRecord> = {}): Promise<RequestRecord> {
  const request = sampleRequest(differs)
  await store.change(async tx => {
    await tx.insertRequest(request)
    tx.append({ type: 'request.created', request: request.id, run: request.run, data: {} })
  })
  return request
}

export function sampleOutcome(text: string, at = 1) {
  const answers = [{ id: 'q1', selected: [], text, note: null }]
  return outcome('answered', { by: 'me', channel: 'cli' }, at, { answers })
}

/** Deletes what is old, in as many slices as it takes; returns what that was. */
export async function prune(store: Store, before: number) {
  const deleted = { requests: [] as string[], events: 0, runs: [] as string[], checkpoints: [] as CheckpointRecord[] }
  await collectGarbage(store, {
    before,
    onSlice: ({ requests, events, runs, checkpoints }) => {
      deleted.requests.push(...requests)
      deleted.events += events
      deleted.runs.push(...runs)
      deleted.checkpoints.push(...checkpoints)
    },
  })
  return deleted
}
