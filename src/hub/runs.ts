import type { z } from 'zod'
import {
  BeckonError,
  type ChangeRunInput,
  type changeRunSchema,
  type EventType,
  invalid,
  type RunStatus,
  runEnds,
  type startRunSchema,
} from '../protocol/index.ts'
import { outcome } from '../rules/outcomes.ts'
import type { RunRecord } from '../store/records.ts'
import type { Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { settle } from './settle.ts'

// A run is `starting` until its process is there, then `running`; a person pauses it, a long wait puts it asleep;
// it ends once, as `completed`, `failed` or `stopped`. Only starting it again leads back from an end.
const moves: Record<RunStatus, readonly RunStatus[]> = {
  starting: ['running', 'completed', 'failed', 'stopped'],
  running: ['paused', 'asleep', 'completed', 'failed', 'stopped'],
  paused: ['running', 'asleep', 'completed', 'failed', 'stopped'],
  asleep: ['running', 'completed', 'failed', 'stopped'],
  completed: [],
  failed: [],
  stopped: [],
}

type StartRun = z.output<typeof startRunSchema>
type ChangeRun = z.output<typeof changeRunSchema>

export function hasEnded(run: RunRecord): boolean {
  return (runEnds as readonly RunStatus[]).includes(run.status)
}

export async function startRun(tx: Transaction, input: StartRun, caller: Caller): Promise<RunRecord> {
  const at = await tx.now()
  const earlier = input.again === undefined ? null : await needRun(tx, input.again)
  if (earlier && input.onlyFrom !== undefined && earlier.status !== input.onlyFrom) throw movedMeanwhile(earlier.id)
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
    resumeCommand: input.resumeCommand ?? earlier?.resumeCommand ?? null,
    sleeps: input.sleeps || (earlier?.sleeps ?? false),
    start: (earlier?.start ?? 0) + 1,
    startedAt: earlier?.startedAt ?? at,
    endedAt: null,
    // Whoever starts it again looks after it from here on.
    token: caller.token,
  }
  if (!earlier) await tx.insertRun(run)
  else if (!(await tx.replaceRun(run, earlier.status))) throw movedMeanwhile(run.id)
  const type = earlier?.status === 'asleep' ? 'run.woken' : 'run.started'
  tx.append({ type, request: null, run: run.id, data: { start: run.start } })
  return run
}

export async function changeRun(tx: Transaction, id: string, input: ChangeRun): Promise<RunRecord> {
  const seen = await needRun(tx, id)
  const status = input.status ?? seen.status
  if (status !== seen.status && !moves[seen.status].includes(status)) {
    throw invalid([{ path: 'status', message: `a run that is ${seen.status} cannot become ${status}` }])
  }
  const at = await tx.now()
  const run = { ...seen, ...given(input), status }
  const ends = status !== seen.status && hasEnded(run)
  if (ends) run.endedAt = at
  if (!(await tx.replaceRun(run, seen.status))) throw movedMeanwhile(id)
  if (status !== seen.status) {
    const data = { reason: input.reason ?? null, exitCode: run.exitCode }
    tx.append({ type: eventOf(seen.status, status), request: null, run: id, data })
  }
  if (input.error) tx.append({ type: 'run.error', request: null, run: id, data: { message: input.error } })
  if (ends) await settleWhatIsLeft(tx, run, at)
  return run
}

export async function needRun(tx: Pick<Transaction, 'run'>, id: string): Promise<RunRecord> {
  const run = await tx.run(id)
  if (!run) throw new BeckonError('not_found', `There is no run ${id}.`)
  return run
}

/** A stop withdraws what was asked; an end without a way back leaves nobody to take an answer. */
async function settleWhatIsLeft(tx: Transaction, run: RunRecord, at: number): Promise<void> {
  const comesBack = run.status !== 'stopped' && (run.resumeCommand !== null || run.sleeps)
  if (comesBack) return
  const open = await tx.openOfRun(run.id)
  for (const request of open) await settle(tx, request, leftOver(run, at))
  await tx.unsealRun(run.id)
}

function leftOver(run: RunRecord, at: number) {
  const actor = { by: run.id, channel: 'policy' }
  const stopped = run.status === 'stopped'
  return outcome(stopped ? 'cancelled' : 'orphaned', actor, at, {
    reason: stopped ? 'Its run was stopped' : 'Its run ended and cannot come back',
  })
}

function given({ pid, session, exitCode }: ChangeRunInput): Partial<RunRecord> {
  return {
    ...(pid === undefined ? {} : { pid }),
    ...(session === undefined ? {} : { session }),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
}

function eventOf(from: RunStatus, to: RunStatus): EventType {
  if (to === 'running') return from === 'asleep' ? 'run.woken' : from === 'paused' ? 'run.resumed' : 'run.started'
  return to === 'starting' ? 'run.started' : `run.${to}`
}

function movedMeanwhile(id: string): BeckonError {
  return new BeckonError('busy', `The run ${id} was changed by somebody else meanwhile. Look again.`)
}
