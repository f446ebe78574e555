import { processTable } from './table.ts'

/** The program of a process and its arguments; empty where the system does not show them. */
export function wordsOf(pid: string | undefined): string[] {
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0) return []
  try {
    return processTable().look(number)?.words() ?? []
  } catch {
    return []
  }
}
