import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import type { Process } from '../../system/processes/entry.ts'
import { processTable } from '../../system/processes/table.ts'
import { isKnown, type Known, membersOf, ourselves, type Scope, sessionsOf } from './members.ts'

export interface Stopped {
  readonly stopped: number[]
  /** Signalled in the middle of a system call: they stop before they run any more code of their own. */
  readonly late: number[]
  /** We may not signal them, such as a child that became another user. */
  readonly refused: number[]
}

export interface Continued {
  readonly continued: number[]
  readonly refused: number[]
}

export interface Ended {
  /** Whether force was needed. */
  readonly killed: boolean
  readonly refused: number[]
}

/** The pids of a run's living processes, parents before their children. */
export function processesOf(run: string, scope: Scope = {}): number[] {
  return membersOf(run, scope).members.map(({ pid }) => pid)
}

/** The processes of a run that are not stopped, except its holder and `spare`. `pid` is the agent's. */
export function runningProcesses(run: string, pid: number | null, spare: readonly string[]): number[] {
  const agent = pid === null ? null : processTable().look(pid)
  const { members } = membersOf(run, { sessions: pid === null ? [] : [pid], except: agent ? [agent.parent] : [] })
  const all = agent ? [...members.filter(member => member.pid !== pid), agent] : members
  return pids(all.filter(process => !process.stopped && !spare.some(process.runs)))
}

/** Stops every process of a run, until no new one appears. */
export async function stopAll(run: string, scope: Scope = {}): Promise<Stopped> {
  stopSessions(scope)
  const { settled, ...stopped } = await freeze(run, scope, new Map(), scope.spare)
  if (settled) return stopped
  const count = stopped.stopped.length
  throw new BeckonError(
    'timed_out',
    `The run ${run} starts processes faster than they can be stopped; ${count} are stopped.`,
    stopped,
  )
}

/** Continues every process of a run. */
export async function continueAll(run: string, scope: Scope = {}): Promise<Continued> {
  const continued = new Set<number>()
  const refused = new Set<number>()
  for (let round = 0; round < 5; round += 1) {
    // The first round signals all: a stop may still be on its way to a process that does not look stopped.
    const left = membersOf(run, scope).members.filter(({ pid, stopped }) =>
      round === 0 ? true : stopped && !continued.has(pid) && !refused.has(pid),
    )
    if (left.length === 0) break
    // Children first: a shell that finds its job stopped treats it as suspended, and goes on without it.
    for (const { pid } of left.toReversed()) {
      const result = send(pid, 'SIGCONT')
      if (result === 'sent') continued.add(pid)
      if (result === 'refused') refused.add(pid)
    }
  }
  return { continued: [...continued], refused: [...refused] }
}

/** Ends every process of a run: asks it to end, waits `grace` milliseconds, then kills, until none is left. */
export async function endAll(run: string, { grace, ...scope }: Scope & { grace: number }): Promise<Ended> {
  const known: Known = new Map()
  const refused = new Set<number>()
  const ended = await askToEnd(run, scope, grace, known, refused)
  if (!ended) await kill(run, scope, known, refused)
  return { killed: !ended, refused: [...refused] }
}

/** Stops the known sessions before the process table is read, unless we or exempt processes are in them. */
function stopSessions(scope: Scope): void {
  const table = processTable()
  if (!table.looksFast) return
  const spared = [...ourselves(pid => table.look(pid)?.parent), ...(scope.except ?? [])]
  const sparedGroups = new Set(spared.map(pid => table.look(pid)?.group))
  for (const session of sessionsOf(scope)) if (!sparedGroups.has(session)) send(-session, 'SIGSTOP')
}

/** How often new processes may appear, and how many times we wait a millisecond for those that were signalled. */
const maxRounds = 100
const maxWaits = 50

/**
 * SIGSTOP, not SIGTSTP: the latter can be caught, and is ignored in an orphaned process group. A fork that was under way
 * when the signal came may still finish, so all count as stopped only when two readings in a row show them stopped and
 * the second shows no new process. A process that waits for its vfork child to start a program does not stop at all
 * when that child was stopped first: hence the waits, and `late`.
 */
async function freeze(
  run: string,
  scope: Scope,
  known: Known,
  spare: readonly string[] = [],
): Promise<Stopped & { settled: boolean }> {
  const refused = new Set<number>()
  let wereAllStopped = false
  for (let round = 0, waits = 0; ; ) {
    const { members: all, groups } = membersOf(run, scope, known)
    const { members = [], spared = [] } = Object.groupBy(all, process =>
      spare.some(process.runs) ? 'spared' : 'members',
    )
    const settled = members.every(process => isKnown(process, known))
    const running = members.filter(({ pid, stopped }) => !stopped && !refused.has(pid))
    const areAllStopped = running.length === 0
    if ((settled && ((areAllStopped && wereAllStopped) || waits === maxWaits)) || round === maxRounds) {
      const stopped = members.filter(process => process.stopped)
      // They were stopped with their group.
      for (const { pid } of spared) send(pid, 'SIGCONT')
      return { settled, stopped: pids(stopped), late: pids(running), refused: [...refused] }
    }

    remember(members, known)
    stopEach(waits < maxWaits / 2 ? withoutJobs(running) : running, groups, refused)
    wereAllStopped = areAllStopped
    if (!settled) {
      round += 1
      await nextTurn()
    } else if (!areAllStopped) {
      waits += 1
      await sleep(1)
    }
  }
}

/**
 * Without processes whose parent is in another process group and still runs: a shell that sees its job stop treats it as
 * suspended, and goes on without it. So the shell is stopped first.
 */
function withoutJobs(running: readonly Process[]): Process[] {
  const groups = new Map(running.map(({ pid, group }) => [pid, group]))
  return running.filter(({ parent, group }) => (groups.get(parent) ?? group) === group)
}

/** By group, which reaches even a process that keeps forking and exiting; then one by one, to learn which refuse. */
function stopEach(running: readonly Process[], groups: readonly number[], refused: Set<number>): void {
  const runningGroups = new Set(running.map(({ group }) => group))
  for (const group of groups) if (runningGroups.has(group)) send(-group, 'SIGSTOP')
  for (const { pid } of running) if (send(pid, 'SIGSTOP') === 'refused') refused.add(pid)
}

/** Resolves to whether all ended in time. */
async function askToEnd(run: string, scope: Scope, grace: number, known: Known, refused: Set<number>) {
  const deadline = performance.now() + grace
  const signalled: Known = new Map()
  for (let pause = 1; ; pause = Math.min(2 * pause, 50)) {
    const left = lookTwice(run, scope, known, refused)
    if (left.length === 0) return true
    terminate(left, signalled, refused)
    const time = deadline - performance.now()
    if (time <= 0) return left.every(({ pid }) => refused.has(pid))
    await sleep(Math.min(pause, time))
  }
}

function terminate(left: readonly Process[], signalled: Known, refused: Set<number>): void {
  const cleaning = new Set(pids(left.filter(process => isKnown(process, signalled))))
  // What a signalled process starts now, it starts to clean up.
  const others = left.filter(process => !isKnown(process, signalled) && !cleaning.has(process.parent))
  // All get the signal before the first continues, parents before they miss a child.
  for (const { pid } of others) if (send(pid, 'SIGTERM') === 'refused') refused.add(pid)
  for (const { pid } of others.toReversed()) send(pid, 'SIGCONT')
  remember(others, signalled)
}

/** Stops them first: a stopped process cannot fork, so none escapes the kill. */
async function kill(run: string, scope: Scope, known: Known, refused: Set<number>): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await freeze(run, scope, known)
    const left = lookTwice(run, scope, known, refused)
    for (const { pid } of left) if (send(pid, 'SIGKILL') === 'refused') refused.add(pid)
    for (let waits = 0; waits < maxWaits; waits += 1) {
      if (lookTwice(run, scope, known, refused).length === 0) return
      await sleep(Math.min(1 + waits, 20))
    }
  }
  const left = pids(lookTwice(run, scope, known, refused))
  throw new BeckonError('timed_out', `These processes of the run ${run} do not end: ${left.join(', ')}.`, { left })
}

/** The processes that are left to signal. Only two readings in a row prove that there are none. */
function lookTwice(run: string, scope: Scope, known: Known, refused: ReadonlySet<number>): Process[] {
  const left = look()
  return left.length === 0 ? look() : left

  function look() {
    const { members } = membersOf(run, scope, known)
    remember(members, known)
    return members.filter(({ pid }) => !refused.has(pid))
  }
}

function remember(processes: readonly Process[], known: Known): void {
  for (const { pid, startedAt } of processes) known.set(pid, startedAt)
}

function send(target: number, signal: NodeJS.Signals): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(target, signal)
    return 'sent'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH') return 'gone'
    if (code === 'EPERM') return 'refused'
    throw error
  }
}

function pids(processes: readonly Process[]): number[] {
  return processes.map(({ pid }) => pid)
}
