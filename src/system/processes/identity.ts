import { processTable } from './table.ts'

/** A process, told apart from a later one with the same pid. */
export interface ProcessId {
  readonly pid: number
  /** In the system's own units: for comparing, not for reading. */
  readonly startedAt: string
  readonly boot: string
}

/** Null when the process is gone; a zombie is gone. */
export function identify(pid: number): ProcessId | null {
  const table = processTable()
  const found = table.look(pid)
  return found && { pid, startedAt: found.startedAt, boot: table.boot() }
}

/** Whether the process is alive, and is not another one that got its pid. */
export function isSameProcess({ pid, startedAt, boot }: ProcessId): boolean {
  const now = identify(pid)
  return now !== null && now.startedAt === startedAt && now.boot === boot
}

/** The same, and the process is not stopped: a stopped process reads and writes nothing. */
export function isRunningProcess(id: ProcessId): boolean {
  return isSameProcess(id) && processTable().look(id.pid)?.stopped === false
}

/** Whether another process has its pid now, or the machine was restarted since. */
export function isReplaced({ pid, startedAt, boot }: ProcessId): boolean {
  if (boot !== processTable().boot()) return true
  const now = identify(pid)
  return now !== null && now.startedAt !== startedAt
}
