import { BeckonError } from '../../protocol/errors.ts'
import type { Context } from '../context.ts'
import { exitCodeOfError, exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { BadCall } from './bad-call.ts'

/** Every error ends here: the document's own lines for a bad call, one line for anything else. */
export async function reportError({ stdout, stderr }: Context, error: unknown): Promise<number> {
  if (error instanceof BadCall) {
    await printLine(stderr, error.lines.join('\n'))
    return exitCodes.invalid
  }
  // The reader of a pipe has seen enough. A write that must succeed is checked where it happens.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return exitCodes.fine
  const { harmlessTitle } = await import('../../text/harmless.ts')
  await printLine(stderr, `AskUserQuestion: ${harmlessTitle(error instanceof Error ? error.message : String(error))}`)
  if (!(error instanceof BeckonError)) return exitCodes.invalid
  const { code, message, details } = error
  if (code === 'nobody') await printLine(stdout, JSON.stringify({ error: { code, message, details } }))
  return exitCodeOfError(code)
}

async function printLine(stream: NodeJS.WritableStream, text: string): Promise<void> {
  await print(stream, `${text}\n`).catch(() => {})
}
