import { BeckonError } from '../../protocol/errors.ts'
import type { Context } from '../context.ts'
import { exitCodeOfError, exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { BadCall } from './bad-call.ts'

/** The one way out for every fault: what the document says for a bad call, one line for anything else. */
export async function report({ stdout, stderr }: Context, error: unknown): Promise<number> {
  if (error instanceof BadCall) {
    await say(stderr, error.lines.join('\n'))
    return exitCodes.invalid
  }
  // Whoever read has seen enough; what must be read is looked after where it is written.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return exitCodes.fine
  const { harmlessTitle } = await import('../../text/harmless.ts')
  await say(stderr, `AskUserQuestion: ${harmlessTitle(error instanceof Error ? error.message : String(error))}`)
  if (!(error instanceof BeckonError)) return exitCodes.invalid
  const { code, message, details } = error
  if (code === 'nobody') await say(stdout, JSON.stringify({ error: { code, message, details } }))
  return exitCodeOfError(code)
}

async function say(stream: NodeJS.WritableStream, text: string): Promise<void> {
  await print(stream, `${text}\n`).catch(() => {})
}
