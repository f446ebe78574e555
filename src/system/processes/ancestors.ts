import { hostname } from 'node:os'
import type { Process } from './entry.ts'
import { processTable } from './table.ts'

/** A process of this one's descent. */
interface Generation {
  readonly process: Process
  /** Whether it belongs to the session of this process. */
  readonly isInSession: boolean
}

/**
 * This process and those that it descends from, nearest first. Best effort: it ends where the system shows no more. A
 * process of another user is one of them, although its environment cannot be read.
 */
export function* lineage(): Generator<Generation> {
  try {
    const { tellsSessions } = processTable()
    const look = lookup()
    const own = look(process.pid)
    let leaderWasSeen = false
    // In a container, the first process may be an agent. It has no parent that could be seen: 0.
    for (let found = own; found !== null; found = found.parent > 0 ? look(found.parent) : null) {
      yield { process: found, isInSession: tellsSessions ? found.session === own?.session : !leaderWasSeen }
      leaderWasSeen ||= found.leadsSession
    }
    // A process whose parents have ended still belongs to the session that they worked in.
    const leader = tellsSessions && own && !leaderWasSeen ? look(own.session) : null
    if (leader) yield { process: leader, isInSession: true }
  } catch {
    // A command must start even where the process table cannot be read.
  }
}

/**
 * Whether this process works inside a run: it descends from the run's agent, or from a process of the agent's session.
 * A process can name any run in its environment; it cannot choose these.
 */
export function isInsideRun({ host, pid }: { host: string; pid: number | null }): boolean {
  if (host !== hostname() || pid === null) return false
  for (const { process } of lineage()) if (process.pid === pid || process.session === pid) return true
  return false
}

/** Whether this process certainly works outside of a run. On another host, and for a run without a process, nobody knows. */
export function isOutsideRun(run: { host: string; pid: number | null }): boolean {
  return run.host === hostname() && run.pid !== null && !isInsideRun(run)
}

function lookup(): (pid: number) => Process | null {
  const table = processTable()
  if (table.looksFast) return table.look
  const processes = new Map(Array.from(table.list(), found => [found.pid, found]))
  return pid => processes.get(pid) ?? null
}
