import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { harmlessLines, harmlessTitle } from '../terminal/harmless.ts'
import type { Context } from './context.ts'
import { exitCodeOfRequest, exitCodes } from './exit-codes.ts'
import { outcomeDocument, outcomeLines, print, printJson } from './output.ts'
import { printTicket } from './ticket.ts'
import { describeOutcome, wayBack } from './wording.ts'

/** Hands the outcome to the caller: printed and flushed first, confirmed then. A crash in between delivers it again. */
export async function deliver(context: Context, hub: HubApi, request: Request, json: boolean): Promise<number> {
  const { endsInEffect } = await import('../core/taking.ts')
  try {
    await (json ? printJson(context.stdout, outcomeDocument(request)) : printLines(context, outcomeLines(request)))
  } catch (error) {
    return undelivered(context, request, error)
  }
  const exitCode = exitCodeOfRequest(request)
  if (exitCode !== exitCodes.fine) context.stderr.write(`beckon: ${describeOutcome(request)}\n`)
  if (!endsInEffect(request)) await confirm(context, hub, request)
  return exitCode
}

/** A program gets the very bytes; on a screen, labels that an agent wrote are made harmless. */
function printLines({ stdout }: Context, lines: string): Promise<void> {
  return print(stdout, stdout.isTTY ? harmlessLines(lines) : lines)
}

export interface Leaving {
  /** The asker wants nothing left behind. */
  cancelOnExit: boolean
  json: boolean
}

/** We cannot wait any longer. The request stays open and the caller gets its ticket, or it is withdrawn. */
export async function leave(context: Context, hub: HubApi, request: Request, leaving: Leaving): Promise<number> {
  const left = leaving.cancelOnExit ? await withdraw(hub, request) : request
  const { endsInEffect } = await import('../core/taking.ts')
  // A yes or a value that came at the last moment is kept for the same command again: nothing is run on the way out.
  if (left.status !== 'pending' && !endsInEffect(left)) return deliver(context, hub, left, leaving.json)
  context.stderr.write(`beckon: ${wayBack(left)}\n`)
  await printTicket(context, left).catch(() => {})
  return exitCodes.pending
}

async function withdraw(hub: HubApi, { id }: Request): Promise<Request> {
  return (await hub.cancel(id, { reason: 'The command that asked has ended' })).request
}

function undelivered(context: Context, { id }: Request, error: unknown): number {
  context.stderr.write(
    `beckon: the answer could not be written (${why(error)}) and counts as not delivered. Ask again, or: beckon wait ${id}\n`,
  )
  return exitCodes.pending
}

/** The caller has the answer already: a failure here must not look as if it had not. */
async function confirm(context: Context, hub: HubApi, { id }: Request): Promise<void> {
  try {
    await hub.confirmDelivery(id)
  } catch (error) {
    context.stderr.write(`beckon: the delivery of ${id} could not be confirmed, it may come again: ${why(error)}\n`)
  }
}

function why(error: unknown): string {
  return error instanceof Error ? harmlessTitle(error.message) : 'unknown error'
}
