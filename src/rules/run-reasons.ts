import { formatDuration } from '../protocol/duration.ts'
import type { DependencyRequest } from '../protocol/index.ts'

// Why a run failed or was stopped, in the words that people read: in the terminal, on the page, in events and in
// notifications. `web/src/words/run-reasons.ts` translates these sentences by their text.

/** Long enough for a reason that a person wrote, short enough for every list. */
const longest = 1_000

/** A reason with a text of an agent or a person in it has a length of their choosing. */
export function shortReason(text: string): string {
  const letters = [
    ...text
      .trim()
      .slice(0, 4 * longest)
      .toWellFormed()
      .replaceAll('\0', ''),
  ]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join('')
}

export function describeExit({ code, signal }: { code: number | null; signal: string | null }): string {
  return signal === null ? `The agent ended with exit code ${code ?? 'unknown'}` : `The agent was killed by ${signal}`
}

/** A required dependency that no person provided. */
export function describeMissing(request: DependencyRequest): string {
  const { name, outcome } = request
  switch (outcome?.status) {
    case 'expired':
      return `Required dependency timeout: ${name} — not provided in ${waitedFor(request)}`
    case 'declined':
      return withReason(`Required dependency rejected: ${name}`, ' — ', outcome.reason ?? outcome.note)
    default:
      return withReason(`Required dependency withdrawn: ${name}`, ' — ', outcome?.reason ?? null)
  }
}

export function describeStop(by: string, reason: string | null): string {
  return withReason(`Stopped by ${by}`, ': ', reason)
}

/** For a program that reports a failure without its reason. */
export function describeFailure(exitCode: number | null): string {
  return exitCode === null
    ? 'The run failed, and its program did not say why'
    : describeExit({ code: exitCode, signal: null })
}

function withReason(what: string, separator: string, reason: string | null): string {
  return shortReason(reason?.trim() ? `${what}${separator}${reason.trim()}` : what)
}

function waitedFor({ createdAt, deadline }: DependencyRequest): string {
  return deadline === null ? 'time' : formatDuration(Date.parse(deadline) - Date.parse(createdAt))
}
