import { processTable } from './table.ts'

/** A process as it can be told from another one that got its number later. */
export interface ProcessId {
  readonly pid: number
  /** In the system's own units, to be compared and not to be read. */
  readonly startedAt: string
  readonly boot: string
}

/** Null when it is gone; a zombie is gone. */
export function identify(pid: number): ProcessId | null {
  const table = processTable()
  const found = table.look(pid)
  return found && { pid, startedAt: found.startedAt, boot: table.boot() }
}

/** Whether it is alive, and the very same process. */
export function isSame({ pid, startedAt, boot }: ProcessId): boolean {
  const now = identify(pid)
  return now !== null && now.startedAt === startedAt && now.boot === boot
}

/** Whether somebody else has its number now, or nobody of that time can be left. */
export function isAnother({ pid, startedAt, boot }: ProcessId): boolean {
  if (boot !== processTable().boot()) return true
  const now = identify(pid)
  return now !== null && now.startedAt !== startedAt
}
