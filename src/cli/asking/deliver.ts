import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { endsInEffect } from '../../rules/outcomes.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodeOfRequest, exitCodes } from '../output/exit-codes.ts'
import type { Voice } from '../output/reporter.ts'
import { describeOutcome, wayBack } from '../output/wording.ts'
import { printTicket } from './ticket.ts'

/** Hands the outcome to the caller: printed and flushed first, confirmed then. A crash in between delivers it again. */
export async function deliver(context: Context, hub: HubApi, request: Request, voice: Voice): Promise<number> {
  try {
    await voice.printOutcome(context, request)
  } catch (error) {
    return undelivered(context, request, voice, error)
  }
  const exitCode = exitCodeOfRequest(request)
  if (exitCode !== exitCodes.fine) context.stderr.write(`${voice.name}: ${describeOutcome(request)}\n`)
  if (!endsInEffect(request)) await confirm(context, hub, request, voice)
  return exitCode
}

export interface Leaving {
  /** The asker wants nothing left behind. */
  cancelOnExit: boolean
  voice: Voice
}

/** We cannot wait any longer. The request stays open and the caller gets its ticket, or it is withdrawn. */
export async function leave(context: Context, hub: HubApi, request: Request, leaving: Leaving): Promise<number> {
  const { cancelOnExit, voice } = leaving
  const left = cancelOnExit ? await withdraw(hub, request) : request
  // A yes or a value that came at the last moment is kept for the same command again: nothing is run on the way out.
  if (left.status !== 'pending' && !endsInEffect(left)) return deliver(context, hub, left, voice)
  context.stderr.write(`${voice.name}: ${wayBack(left, voice.waitOn(left))}\n`)
  await printTicket(context, left, voice).catch(() => {})
  return exitCodes.pending
}

async function withdraw(hub: HubApi, { id }: Request): Promise<Request> {
  return (await hub.cancel(id, { reason: 'The command that asked has ended' })).request
}

function undelivered(context: Context, request: Request, { name, waitOn }: Voice, error: unknown): number {
  context.stderr.write(
    `${name}: the answer could not be written (${why(error)}) and counts as not delivered. Ask again, or: ${waitOn(request)}\n`,
  )
  return exitCodes.pending
}

/** The caller has the answer already: a failure here must not look as if it had not. */
async function confirm(context: Context, hub: HubApi, { id }: Request, { name }: Voice): Promise<void> {
  try {
    await hub.confirmDelivery(id)
  } catch (error) {
    context.stderr.write(`${name}: the delivery of ${id} could not be confirmed, it may come again: ${why(error)}\n`)
  }
}

function why(error: unknown): string {
  return error instanceof Error ? harmlessTitle(error.message) : 'unknown error'
}
