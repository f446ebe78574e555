import { mostFailures } from './calls.ts'
import type { Outcome } from './tool-context.ts'
import { type Judged, ToolFault } from './tools/tool.ts'

// What the model is told about calls that came to nothing. It always says what to do next.

export const repeatedTooOften = `This very call has failed ${mostFailures} times and is not run again. Change it, try another way, or ask the user.`
export const cutOff =
  'Beckon was stopped while this ran. It may have run wholly, partly or not at all, or still be running. Look at what is there before you do it again.'
export const notRun = 'Not run: the user interrupted the turn.'

export function failure(problem: string, hint: string): Outcome {
  return { output: `Error: ${problem}\nHint: ${hint}`, failed: true }
}

export function denied({ reasons, safer }: Judged): Outcome {
  const why = reasons.map(({ message }) => message).join('; ') || 'it is not allowed'
  return failure(
    `This is never run: ${why}.`,
    safer ? `Safer: ${safer}` : 'Find another way, or ask the user to do it.',
  )
}

export function fault(error: unknown): Outcome {
  if (error instanceof ToolFault) return failure(error.message, error.hint)
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
