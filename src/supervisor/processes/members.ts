import type { Process } from '../../system/processes/entry.ts'
import { isReplaced, type ProcessId } from '../../system/processes/identity.ts'
import { processTable } from '../../system/processes/table.ts'

export interface Scope {
  /**
   * Sessions of the run, by the number of their leader. A number that was stored is given with its leader's identity,
   * lest it belongs to somebody else by now.
   */
  readonly sessions?: readonly (number | ProcessId)[] | undefined
  /** Left alone, though they belong to the run: its holder. */
  readonly except?: readonly number[] | undefined
  /**
   * Programs that a stop lets run on: our own commands, which only wait, and which would keep the database locked
   * if they were stopped in the middle of a transaction.
   */
  readonly spare?: readonly string[] | undefined
}

/** Processes that were found before, by number and start time: whoever loses its parent is still known. */
export type Known = Map<number, string>

export interface Members {
  /** Parents come before their children. */
  readonly members: readonly Process[]
  /** Process groups that consist of members alone. */
  readonly groups: readonly number[]
}

/**
 * Who belongs to a run, in one look at the system. It begins with the run's sessions and with whoever carries its
 * name, and spreads to all children, and to the sessions that members opened. What escapes: a process that detached
 * itself, lost its parent and has no trace of the run in its environment, all of it before anybody looked.
 */
export function membersOf(run: string, scope: Scope, known: Known = new Map()): Members {
  const sessions = sessionsOf(scope)
  const everybody: Process[] = []
  const found: Process[] = []
  for (const process of processTable().list()) {
    everybody.push(process)
    // At once: whoever is short-lived has no environment any more when the list is complete.
    if (sessions.has(process.session) || isKnown(process, known) || process.carries(run)) found.push(process)
  }
  const members = spread(found, everybody)
  for (const pid of scope.except ?? []) members.delete(pid)
  return { members: parentsFirst(members), groups: wholeGroups(members, everybody) }
}

export function isKnown({ pid, startedAt }: Process, known: Known): boolean {
  return known.get(pid) === startedAt
}

export function sessionsOf({ sessions = [] }: Scope): Set<number> {
  const own = sessions.filter(session => typeof session === 'number' || !isReplaced(session))
  // 0 and 1 are the sessions of whatever runs outside of this container, and of init.
  return new Set(own.map(session => (typeof session === 'number' ? session : session.pid)).filter(pid => pid > 1))
}

/** Ourselves, and everybody above us: stopping them would stop us, or whoever is to continue us. */
export function ourselves(parentOf: (pid: number) => number | undefined): Set<number> {
  const line = new Set<number>()
  for (let pid: number | undefined = process.pid; pid && !line.has(pid); pid = parentOf(pid)) line.add(pid)
  return line
}

function spread(found: readonly Process[], everybody: readonly Process[]): Map<number, Process> {
  const byPid = new Map(everybody.map(process => [process.pid, process]))
  const spared = ourselves(pid => byPid.get(pid)?.parent)
  const children = Map.groupBy(everybody, process => process.parent)
  const sessions = Map.groupBy(everybody, process => process.session)
  const members = new Map<number, Process>()
  const queue = [...found]
  for (const process of queue) {
    const { pid } = process
    if (pid <= 1 || spared.has(pid) || members.has(pid)) continue
    members.set(pid, process)
    // One joins a session by being born into it, so all of it came from its leader.
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
    // Before the parent's: a list that was read while it changed may hold a circle.
    depths.set(pid, 0)
    const above = members.get(parent)
    const own = above ? depth(above) + 1 : 0
    depths.set(pid, own)
    return own
  }
}

function wholeGroups(members: ReadonlyMap<number, Process>, everybody: readonly Process[]): number[] {
  const groups = new Set(Array.from(members.values(), process => process.group))
  for (const { pid, group } of everybody) if (!members.has(pid)) groups.delete(group)
  // To signal group 0 is to signal our own, and group 1 everybody.
  return [...groups].filter(group => group > 1)
}
