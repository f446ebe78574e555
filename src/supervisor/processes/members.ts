import type { Process } from '../../system/processes/entry.ts'
import { isReplaced, type ProcessId } from '../../system/processes/identity.ts'
import { processTable } from '../../system/processes/table.ts'

export interface Scope {
  /**
   * Sessions of the run, by the pid of their leader. A stored pid comes with its leader's identity, because it may belong
   * to another process by now.
   */
  readonly sessions?: readonly (number | ProcessId)[] | undefined
  /** Processes of the run that are left alone: its holder. */
  readonly except?: readonly number[] | undefined
  /**
   * Programs that a stop does not touch: our own commands, which only wait, and which would keep the database locked if
   * they were stopped in the middle of a transaction.
   */
  readonly spare?: readonly string[] | undefined
}

/** Start times by pid of processes found before: one that lost its parent is still known. */
export type Known = Map<number, string>

export interface Members {
  /** Parents come before their children. */
  readonly members: readonly Process[]
  /** Process groups in which every process is a member. */
  readonly groups: readonly number[]
}

/**
 * The processes of a run, from one reading of the process table: those in its sessions or with its id in their
 * environment, all their children, and the sessions that members opened. What escapes: a process that detached itself,
 * lost its parent and removed the id from its environment, all before we looked.
 */
export function membersOf(run: string, scope: Scope, known: Known = new Map()): Members {
  const sessions = sessionsOf(scope)
  const all: Process[] = []
  const found: Process[] = []
  for (const process of processTable().list()) {
    all.push(process)
    // Now: a short-lived process has no environment any more when the list is complete.
    if (sessions.has(process.session) || isKnown(process, known) || process.carries(run)) found.push(process)
  }
  const members = spread(found, all)
  for (const pid of scope.except ?? []) members.delete(pid)
  return { members: parentsFirst(members), groups: wholeGroups(members, all) }
}

export function isKnown({ pid, startedAt }: Process, known: Known): boolean {
  return known.get(pid) === startedAt
}

export function sessionsOf({ sessions = [] }: Scope): Set<number> {
  const own = sessions.filter(session => typeof session === 'number' || !isReplaced(session))
  // Session 0 is outside this container, and session 1 is init's.
  return new Set(own.map(session => (typeof session === 'number' ? session : session.pid)).filter(pid => pid > 1))
}

/** This process and its ancestors: stopping them would stop us, or the process that continues us. */
export function ourselves(parentOf: (pid: number) => number | undefined): Set<number> {
  const pids = new Set<number>()
  for (let pid: number | undefined = process.pid; pid && !pids.has(pid); pid = parentOf(pid)) pids.add(pid)
  return pids
}

function spread(found: readonly Process[], all: readonly Process[]): Map<number, Process> {
  const byPid = new Map(all.map(process => [process.pid, process]))
  const spared = ourselves(pid => byPid.get(pid)?.parent)
  const children = Map.groupBy(all, process => process.parent)
  const sessions = Map.groupBy(all, process => process.session)
  const members = new Map<number, Process>()
  const queue = [...found]
  for (const process of queue) {
    const { pid } = process
    if (pid <= 1 || spared.has(pid) || members.has(pid)) continue
    members.set(pid, process)
    // A process joins a session only by being started in it, so all of it comes from its leader.
    queue.push(...(children.get(pid) ?? []), ...(sessions.get(pid) ?? []))
  }
  return members
}

function parentsFirst(members: ReadonlyMap<number, Process>): Process[] {
  const depths = new Map<number, number>()
  return [...members.values()].sort((a, b) => depth(a) - depth(b))

  function depth({ pid, parent }: Process): number {
    const known = depths.get(pid)
    if (known !== undefined) return known
    // Set before the parent's depth: a table that changed while it was read may contain a cycle.
    depths.set(pid, 0)
    const above = members.get(parent)
    const own = above ? depth(above) + 1 : 0
    depths.set(pid, own)
    return own
  }
}

function wholeGroups(members: ReadonlyMap<number, Process>, all: readonly Process[]): number[] {
  const groups = new Set(Array.from(members.values(), process => process.group))
  for (const { pid, group } of all) if (!members.has(pid)) groups.delete(group)
  // A signal to group 0 reaches our own group, and one to group 1 every process.
  return [...groups].filter(group => group > 1)
}
