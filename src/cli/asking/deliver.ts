import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { endsInEffect } from '../../rules/outcomes.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { describeOutcome, howToResume } from '../output/describe-outcome.ts'
import { exitCodeOfRequest, exitCodes } from '../output/exit-codes.ts'
import type { Reporter } from '../output/reporter.ts'
import { printTicket } from './ticket.ts'

/** Hands the outcome to the caller: printed and flushed first, confirmed then. A crash in between delivers it again. */
export async function deliver(context: Context, hub: HubApi, request: Request, reporter: Reporter): Promise<number> {
  try {
    await reporter.printOutcome(context, request)
  } catch (error) {
    return undelivered(context, request, reporter, error)
  }
  const exitCode = exitCodeOfRequest(request)
  if (exitCode !== exitCodes.fine) context.stderr.write(`${reporter.name}: ${describeOutcome(request)}\n`)
  if (!endsInEffect(request)) await confirm(context, hub, request, reporter)
  return exitCode
}

export interface Leaving {
  /** The asker wants nothing left behind. */
  cancelOnExit: boolean
  reporter: Reporter
}

/** We cannot wait any longer. The request stays open and the caller gets its ticket, or it is withdrawn. */
export async function leave(context: Context, hub: HubApi, request: Request, leaving: Leaving): Promise<number> {
  const { cancelOnExit, reporter } = leaving
  const left = cancelOnExit ? await withdraw(hub, request) : request
  // A yes or a value that came at the last moment is kept for the same command again: nothing is run on the way out.
  if (left.status !== 'pending' && !endsInEffect(left)) return deliver(context, hub, left, reporter)
  context.stderr.write(`${reporter.name}: ${howToResume(left, reporter.waitCommand(left))}\n`)
  await printTicket(context, left, reporter).catch(() => {})
  return exitCodes.pending
}

async function withdraw(hub: HubApi, { id }: Request): Promise<Request> {
  return (await hub.cancel(id, { reason: 'The command that asked has ended' })).request
}

function undelivered(context: Context, request: Request, { name, waitCommand }: Reporter, error: unknown): number {
  context.stderr.write(
    `${name}: the answer could not be written (${why(error)}) and counts as not delivered. Ask again, or: ${waitCommand(request)}\n`,
  )
  return exitCodes.pending
}

/** The caller has the answer already: a failure here must not look as if it had not. */
async function confirm(context: Context, hub: HubApi, { id }: Request, { name }: Reporter): Promise<void> {
  try {
    await hub.confirmDelivery(id)
  } catch (error) {
    context.stderr.write(`${name}: the delivery of ${id} could not be confirmed, it may come again: ${why(error)}\n`)
  }
}

function why(error: unknown): string {
  return error instanceof Error ? harmlessTitle(error.message) : 'unknown error'
}
