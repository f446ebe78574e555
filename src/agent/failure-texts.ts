import { maxFailures } from './calls.ts'
import type { CallResult } from './tool-context.ts'
import { type ProposedAction, ToolError } from './tools/tool.ts'

// What the model reads about calls that failed. Each text says what to do next.

export const repeatedTooOften = `This exact call has failed ${maxFailures} times and is not run again. Change it, try another way, or ask the user.`
export const cutOff =
  'Beckon was stopped while this ran. It may have run completely, partly or not at all, or still be running. Check the current state before you do it again.'
export const notRun = 'Not run: the user interrupted the turn.'

export function failure(problem: string, hint: string): CallResult {
  return { output: `Error: ${problem}\nHint: ${hint}`, failed: true }
}

export function denied({ reasons, safer }: ProposedAction): CallResult {
  const why = reasons.map(({ message }) => message).join('; ') || 'it is not allowed'
  return failure(
    `This is never run: ${why}.`,
    safer ? `Safer: ${safer}` : 'Find another way, or ask the user to do it.',
  )
}

export function failureOf(error: unknown): CallResult {
  if (error instanceof ToolError) return failure(error.message, error.hint)
  const { code, message = String(error) } = error as NodeJS.ErrnoException
  return failure(message, hints[code ?? ''] ?? 'Try another way.')
}

const hints: Record<string, string> = {
  ENOENT: 'It does not exist; look for it with Glob.',
  EACCES: 'This is not permitted; ask the user.',
  EPERM: 'This is not permitted; ask the user.',
  EISDIR: 'It is a folder; name a file.',
  ENOTDIR: 'A part of the path is a file.',
  ENOSPC: 'The disk is full; tell the user.',
  invalid: 'Call it again with the right input.',
}
