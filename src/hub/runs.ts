import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import {
  BeckonError,
  type ChangeRunInput,
  changeRunSchema,
  invalid,
  type Run,
  type RunFilter,
  type RunsApi,
  startRunSchema,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { outcome } from '../rules/outcomes.ts'
import { describeExit, describeFailure, describeStop, shortReason } from '../rules/run-reasons.ts'
import { isEnd, mayBecome, transitionEvent } from '../rules/run-status.ts'
import { requestLock, runLock } from '../store/locks.ts'
import type { RunRecord } from '../store/records.ts'
import type { RunQuery, Store, Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { notFound } from './not-found.ts'
import { maxPageSize, pageSize } from './page-size.ts'
import { settle } from './settle.ts'
import { toRun } from './to-protocol.ts'
import { isStarter } from './value-owner.ts'

type StartRun = z.output<typeof startRunSchema>
type ChangeRun = z.output<typeof changeRunSchema>

export function createRuns({ store, caller }: { store: Store; caller: Caller }): RunsApi {
  return {
    async start(input) {
      const parsed = parse(startRunSchema, input)
      let started: RunRecord | null = null
      const run = await store.change(
        async tx => {
          // The commit's acknowledgement was lost: the run has started already.
          const stored = tx.alreadyCommitted && started && (await tx.run(started.id))
          if (stored && stored.start === started?.start) return stored
          started = await startRun(tx, parsed, caller)
          return started
        },
        parsed.again === undefined ? [] : runLock(parsed.again),
      )
      return toRun(run, [])
    },

    get: id => store.read(async view => toRun(await needRun(view, id), await view.openOfRun(id))),

    list: (filter = {}) =>
      store.read(async view => {
        const runs = await view.runs(queryOf(filter))
        const open = await view.openOfRuns(runs.map(({ id }) => id))
        return runs.map(run => toRun(run, open.get(run.id) ?? []))
      }),

    change,
    pause: (id, reason = null) => change(id, { status: 'paused', reason }),
    resume: (id, reason = null) => change(id, { status: 'running', reason }),
    stop: (id, reason = null) => change(id, { status: 'stopped', reason: describeStop(caller.user, reason) }),
  }

  async function change(id: string, input: ChangeRunInput): Promise<Run> {
    const parsed = parse(changeRunSchema, input)
    // One at a time: two changes of different fields must not undo each other.
    let changed: RunRecord | null = null
    return store.change(async tx => {
      // The commit's acknowledgement was lost: the run has changed already, and its events are written.
      const isDone = tx.alreadyCommitted && changed !== null && isDeepStrictEqual(await tx.run(id), changed)
      if (!changed || !isDone) changed = await changeRun(tx, id, parsed, caller)
      return toRun(changed, await tx.openOfRun(id))
    }, runLock(id))
  }
}

export async function needRun(view: Pick<Transaction, 'run'>, id: string): Promise<RunRecord> {
  const run = await view.run(id)
  if (!run) throw notFound('run', id)
  return run
}

async function startRun(tx: Transaction, input: StartRun, caller: Caller): Promise<RunRecord> {
  const at = await tx.now()
  const earlier = input.again === undefined ? null : await needRun(tx, input.again)
  if (earlier && !isStarter(earlier, caller)) throw startedByOther(earlier.id)
  if (earlier && input.onlyFrom !== undefined && earlier.status !== input.onlyFrom) throw changedMeanwhile(earlier.id)
  const run: RunRecord = {
    id: earlier?.id ?? newId('run', at),
    name: input.name ?? earlier?.name ?? input.command[0] ?? 'run',
    status: 'running',
    command: input.command,
    cwd: input.cwd,
    host: input.host ?? caller.host,
    user: earlier?.user ?? caller.user,
    pid: input.pid ?? null,
    session: input.session ?? earlier?.session ?? null,
    exitCode: null,
    reason: null,
    resumeCommand: input.resumeCommand ?? earlier?.resumeCommand ?? null,
    sleeps: input.sleeps || (earlier?.sleeps ?? false),
    start: (earlier?.start ?? 0) + 1,
    startedAt: earlier?.startedAt ?? at,
    endedAt: null,
    // A recovery on its own machine may take it over from a token.
    token: caller.token,
  }
  if (!earlier) await tx.insertRun(run)
  else if (!(await tx.replaceRun(run, earlier.status))) throw changedMeanwhile(run.id)
  const type = earlier?.status === 'asleep' ? 'run.woken' : 'run.started'
  tx.append({ type, request: null, run: run.id, data: { start: run.start } })
  return run
}

async function changeRun(tx: Transaction, id: string, input: ChangeRun, caller: Caller): Promise<RunRecord> {
  const seen = await needRun(tx, id)
  const status = input.status ?? seen.status
  if (!mayBecome(seen.status, status)) {
    throw invalid([{ path: 'status', message: `a run that is ${seen.status} cannot become ${status}` }])
  }
  const at = await tx.now()
  const run = { ...seen, ...given(input), status }
  const ends = status !== seen.status && isEnd(status)
  if (ends) {
    run.endedAt = at
    run.reason = reasonOf(run, input.reason ?? null, caller)
  }
  if (ends) tx.lock(...(await tx.openOfRun(id)).map(request => requestLock(request.id)))
  if (!(await tx.replaceRun(run, seen.status))) throw changedMeanwhile(id)
  if (status !== seen.status) {
    const data = { reason: run.reason ?? input.reason ?? null, exitCode: run.exitCode }
    tx.append({ type: transitionEvent(seen.status, status), request: null, run: id, data })
  }
  if (input.error) tx.append({ type: 'run.error', request: null, run: id, data: { message: input.error } })
  if (ends) await settleOpenRequests(tx, run, at)
  return run
}

/** Every run that failed or was stopped says why; one that completed has no reason to. */
function reasonOf({ status, exitCode }: RunRecord, given: string | null, { user }: Caller): string | null {
  if (status === 'completed') return null
  const known = given?.trim() ? given : null
  return shortReason(known ?? (status === 'stopped' ? describeStop(user, null) : describeFailure(exitCode)))
}

/** Stopping a run withdraws its requests. An end without a way back leaves nobody who could take an answer. */
async function settleOpenRequests(tx: Transaction, run: RunRecord, at: number): Promise<void> {
  const comesBack = run.status === 'completed' && (run.resumeCommand !== null || run.sleeps)
  if (comesBack) return
  for (const request of await tx.openOfRun(run.id)) await settle(tx, request, outcomeOfEnd(run, at))
  await tx.unsealRun(run.id)
}

function outcomeOfEnd(run: RunRecord, at: number) {
  const attribution = { by: run.id, channel: 'policy' }
  const stopped = run.status === 'stopped'
  return outcome(stopped ? 'cancelled' : 'orphaned', attribution, at, {
    reason: stopped ? 'Its run was stopped' : shortReason(`Its run ended and cannot come back: ${whyItEnded(run)}`),
  })
}

/** For the person who has the request open: what became of the agent that asked. */
function whyItEnded({ reason, exitCode }: RunRecord): string {
  return reason ?? describeExit({ code: exitCode ?? 0, signal: null })
}

function queryOf({ active, awake, ready, limit = maxPageSize, ...owner }: RunFilter): RunQuery {
  const { host = null, local = false, token = null } = owner
  const which = ready ? 'ready' : awake ? 'awake' : active ? 'active' : 'all'
  return { which, host, local, token, limit: pageSize(limit) }
}

function given({ pid, session, exitCode }: ChangeRun): Partial<RunRecord> {
  return {
    ...(pid === undefined ? {} : { pid }),
    ...(session === undefined ? {} : { session }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}

/** Who starts a run again gets its secrets. */
function startedByOther(id: string): BeckonError {
  return new BeckonError('not_allowed', `Only the token that started ${id} can start it again.`)
}

function changedMeanwhile(id: string): BeckonError {
  return new BeckonError('changed', `Somebody else changed the run ${id} at the same time. Check it and try again.`)
}
