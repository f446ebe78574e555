import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from '../../protocol/request.ts'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { readOrNull } from '../../system/machine-fault.ts'

// How often a run was started again for each answer that it has not taken. Counted in a file of the run's folder, so that
// the death of a supervisor does not start the count anew: an agent that always ends before it asks must not start for ever.

const maxAttempts = 5
const firstPause = 500
export const longestPause = firstPause * 2 ** (maxAttempts - 2)

type Attempts = Record<string, number>

/** Counts a start for these answers, before the agent starts. Answers that are not among them have been taken. */
export function countAttempt(folder: string, ids: readonly string[]): void {
  const before = read(folder)
  const after = Object.fromEntries(ids.map(id => [id, (before[id] ?? 0) + 1]))
  writeFileAtomically(join(folder, 'attempts.json'), JSON.stringify(after))
}

/** How often the run was started for the newest of these answers. */
function attemptsFor(folder: string, undelivered: readonly Request[]): number {
  const attempts = read(folder)
  return Math.min(...undelivered.map(({ id }) => attempts[id] ?? 0))
}

/** Whether the run starts again for answers that it has not taken; `once` where its agent did not want them. */
export function mayTryAgain(folder: string, undelivered: readonly Request[], once: boolean): boolean {
  return undelivered.length > 0 && attemptsFor(folder, undelivered) < (once ? 1 : maxAttempts)
}

/** Milliseconds to wait before the next start: none at first, then growing. */
export function pauseBeforeAttempt(folder: string, undelivered: readonly Request[]): number {
  const attempts = undelivered.length === 0 ? 0 : attemptsFor(folder, undelivered)
  return attempts === 0 ? 0 : firstPause * 2 ** (attempts - 1)
}

/** Why a run that may not try again has failed; null where it did not try in vain. */
export function exhaustedReason(folder: string, undelivered: readonly Request[]): string | null {
  if (undelivered.length === 0 || attemptsFor(folder, undelivered) < maxAttempts) return null
  const show = undelivered.map(({ id }) => `beckon show ${id}`).join(', ')
  return `It was started ${maxAttempts} times and never took its answer, which is kept: ${show}`
}

function read(folder: string): Attempts {
  return readOrNull(() => JSON.parse(readFileSync(join(folder, 'attempts.json'), 'utf8'))) ?? {}
}
