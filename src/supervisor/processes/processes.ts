import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import type { Process } from '../../system/processes/entry.ts'
import { processTable } from '../../system/processes/table.ts'
import { isKnown, type Known, membersOf, ourselves, type Scope, sessionsOf } from './members.ts'

export { identify, isSameProcess } from '../../system/processes/identity.ts'
export type { Scope } from './members.ts'

export interface Stopped {
  readonly stopped: number[]
  /** Told to stop, but in the middle of a system call: they stop before they do anything else of their own. */
  readonly late: number[]
  /** Not ours to signal, such as a child that became another user. */
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

/** Every living process of a run, parents before their children. */
export function processesOf(run: string, scope: Scope = {}): number[] {
  return membersOf(run, scope).members.map(({ pid }) => pid)
}

/** Those of a run that are not stopped, but for its holder and `spare`. `pid` is that of the agent. */
export function runningProcesses(run: string, pid: number | null, spare: readonly string[]): number[] {
  const agent = pid === null ? null : processTable().look(pid)
  const { members } = membersOf(run, { sessions: pid === null ? [] : [pid], except: agent ? [agent.parent] : [] })
  const all = agent ? [...members.filter(member => member.pid !== pid), agent] : members
  return pids(all.filter(process => !process.stopped && !spare.some(process.runs)))
}

/** Stops every process of a run, until nothing new appears. */
export async function stopAll(run: string, scope: Scope = {}): Promise<Stopped> {
  stopSessions(scope)
  const { settled, ...stopped } = await freeze(run, scope, new Map(), scope.spare)
  if (settled) return stopped
  const count = stopped.stopped.length
  throw new BeckonError(
    'busy',
    `The run ${run} starts processes faster than they can be stopped; ${count} are.`,
    stopped,
  )
}

/** Continues every process of a run. */
export async function continueAll(run: string, scope: Scope = {}): Promise<Continued> {
  const continued = new Set<number>()
  const refused = new Set<number>()
  for (let round = 0; round < 5; round += 1) {
    // First all of them, for a stop can still be on its way to one that does not look stopped.
    const left = membersOf(run, scope).members.filter(({ pid, stopped }) =>
      round === 0 ? true : stopped && !continued.has(pid) && !refused.has(pid),
    )
    if (left.length === 0) break
    // Children first: a shell that finds its job stopped takes it for suspended, and goes on without it.
    for (const { pid } of left.toReversed()) {
      const result = send(pid, 'SIGCONT')
      if (result === 'sent') continued.add(pid)
      if (result === 'refused') refused.add(pid)
    }
  }
  return { continued: [...continued], refused: [...refused] }
}

/** Ends every process of a run: asks, waits for `grace` milliseconds, and then kills, until nothing is left. */
export async function endAll(run: string, { grace, ...scope }: Scope & { grace: number }): Promise<Ended> {
  const known: Known = new Map()
  const refused = new Set<number>()
  const ended = await askToEnd(run, scope, grace, known, refused)
  if (!ended) await kill(run, scope, known, refused)
  return { killed: !ended, refused: [...refused] }
}

/** The first of all, before anybody is looked up: the sessions that are known, as far as they are nobody else's. */
function stopSessions(scope: Scope): void {
  const table = processTable()
  if (!table.looksFast) return
  const spared = [...ourselves(pid => table.look(pid)?.parent), ...(scope.except ?? [])]
  const sparedGroups = new Set(spared.map(pid => table.look(pid)?.group))
  for (const session of sessionsOf(scope)) if (!sparedGroups.has(session)) send(-session, 'SIGSTOP')
}

/** How often new ones may appear, and how many times a millisecond we wait for those that were told. */
const rounds = 100
const patience = 50

/**
 * SIGSTOP, not SIGTSTP: the latter can be caught, and is ignored in an orphaned process group. A fork that was under way
 * when the signal came may still finish, so that all are stopped is believed when everybody was so at the look
 * before already and nobody is new. One that waits for its child of vfork to start a program does not
 * stop at all when that child was stopped first: hence the patience, and `late`.
 */
async function freeze(
  run: string,
  scope: Scope,
  known: Known,
  spare: readonly string[] = [],
): Promise<Stopped & { settled: boolean }> {
  const refused = new Set<number>()
  let calmBefore = false
  for (let round = 0, waits = 0; ; ) {
    const { members: all, groups } = membersOf(run, scope, known)
    const { members = [], spared = [] } = Object.groupBy(all, process =>
      spare.some(process.runs) ? 'spared' : 'members',
    )
    const settled = members.every(process => isKnown(process, known))
    const running = members.filter(({ pid, stopped }) => !stopped && !refused.has(pid))
    const calm = running.length === 0
    if ((settled && ((calm && calmBefore) || waits === patience)) || round === rounds) {
      const stopped = members.filter(process => process.stopped)
      // With their group, they were stopped, too.
      for (const { pid } of spared) send(pid, 'SIGCONT')
      return { settled, stopped: pids(stopped), late: pids(running), refused: [...refused] }
    }

    remember(members, known)
    stopEach(waits < patience / 2 ? withoutJobs(running) : running, groups, refused)
    calmBefore = calm
    if (!settled) {
      round += 1
      await turn()
    } else if (!calm) {
      waits += 1
      await sleep(1)
    }
  }
}

/**
 * Without those below a parent of another process group that still runs: a shell that sees its job stop takes it for
 * suspended, and goes on without it. So the shell is stopped first.
 */
function withoutJobs(running: readonly Process[]): Process[] {
  const groups = new Map(running.map(({ pid, group }) => [pid, group]))
  return running.filter(({ parent, group }) => (groups.get(parent) ?? group) === group)
}

/** By group too, which reaches even one that forks and leaves all the time; one by one shows who refuses. */
function stopEach(running: readonly Process[], groups: readonly number[], refused: Set<number>): void {
  const runningGroups = new Set(running.map(({ group }) => group))
  for (const group of groups) if (runningGroups.has(group)) send(-group, 'SIGSTOP')
  for (const { pid } of running) if (send(pid, 'SIGSTOP') === 'refused') refused.add(pid)
}

/** Resolves to whether all have ended in time. */
async function askToEnd(run: string, scope: Scope, grace: number, known: Known, refused: Set<number>) {
  const deadline = performance.now() + grace
  const told: Known = new Map()
  for (let pause = 1; ; pause = Math.min(2 * pause, 50)) {
    const left = lookTwice(run, scope, known, refused)
    if (left.length === 0) return true
    tellToEnd(left, told, refused)
    const time = deadline - performance.now()
    if (time <= 0) return left.every(({ pid }) => refused.has(pid))
    await sleep(Math.min(pause, time))
  }
}

function tellToEnd(left: readonly Process[], told: Known, refused: Set<number>): void {
  const cleaning = new Set(pids(left.filter(process => isKnown(process, told))))
  // What one that was told starts now, it starts to clean up.
  const untold = left.filter(process => !isKnown(process, told) && !cleaning.has(process.parent))
  // All have it before the first is continued, and act on it before anything else; parents before they miss a child.
  for (const { pid } of untold) if (send(pid, 'SIGTERM') === 'refused') refused.add(pid)
  for (const { pid } of untold.toReversed()) send(pid, 'SIGCONT')
  remember(untold, told)
}

/** Stopped first, for what is stopped cannot fork: then those that are killed are all there are. */
async function kill(run: string, scope: Scope, known: Known, refused: Set<number>): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await freeze(run, scope, known)
    const left = lookTwice(run, scope, known, refused)
    for (const { pid } of left) if (send(pid, 'SIGKILL') === 'refused') refused.add(pid)
    for (let waits = 0; waits < patience; waits += 1) {
      if (lookTwice(run, scope, known, refused).length === 0) return
      await sleep(Math.min(1 + waits, 20))
    }
  }
  const left = pids(lookTwice(run, scope, known, refused))
  throw new BeckonError('busy', `Processes of the run ${run} do not end: ${left.join(', ')}.`, { left })
}

/** Those that are left to signal; that there is nobody is believed when it is seen twice. */
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
