import type { Process } from './entry.ts'
import { processTable } from './table.ts'

/** The processes that this one descends from, nearest first. Best effort: it ends where the system shows no more. */
export function* ancestors(): Generator<Process> {
  try {
    const look = lookup()
    for (let pid = process.ppid; pid > 1; ) {
      const ancestor = look(pid)
      if (!ancestor) return
      yield ancestor
      pid = ancestor.parent
    }
  } catch {
    // A command must start even where the process table cannot be read.
  }
}

export function descendsFrom(pid: number): boolean {
  for (const ancestor of ancestors()) if (ancestor.pid === pid) return true
  return false
}

function lookup(): (pid: number) => Process | null {
  const table = processTable()
  if (table.looksFast) return table.look
  const processes = new Map(Array.from(table.list(), found => [found.pid, found]))
  return pid => processes.get(pid) ?? null
}
