import type { HubApi } from '../../protocol/hub.ts'
import type { Message } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import { endsInEffect } from '../../rules/outcomes.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { askedBackOn } from '../output/asked-back.ts'
import { describeOutcome, howToResume, howToUse } from '../output/describe-outcome.ts'
import { errorMessage } from '../output/error-message.ts'
import { exitCodeOfRequest, exitCodes } from '../output/exit-codes.ts'
import type { Reporter } from '../output/reporter.ts'
import { printTicket } from './ticket.ts'

/**
 * Prints and flushes the outcome, then confirms its delivery. A crash in between delivers it again. `told`: a prompt here
 * has already left its line about it.
 */
export async function deliver(
  context: Context,
  hub: HubApi,
  request: Request,
  reporter: Reporter,
  { told = false } = {},
): Promise<number> {
  try {
    await reporter.printOutcome(context, request)
  } catch (error) {
    return undelivered(context, request, reporter, error)
  }
  const exitCode = exitCodeOfRequest(request)
  if (exitCode !== exitCodes.fine && !told) context.stderr.write(`${reporter.name}: ${describeOutcome(request)}\n`)
  if (!endsInEffect(request)) await confirm(context, hub, request, reporter)
  return exitCode
}

export interface StopOptions {
  /** Withdraw the request instead of leaving it open. */
  cancelOnExit: boolean
  /** The caller is the agent that asked, and can reply to what people ask back. */
  hears: boolean
  reporter: Reporter
}

/** Ends the wait: the request stays open and the caller gets its ticket, or the request is withdrawn. */
export async function stopWaiting(
  context: Context,
  hub: HubApi,
  request: Request,
  options: StopOptions,
): Promise<number> {
  const { cancelOnExit, hears, reporter } = options
  const messages = hears ? await hub.messages.unheard(request.id).catch(() => []) : []
  if (messages.length > 0) return handOverMessages(context, hub, request, messages, reporter)
  const left = cancelOnExit ? await withdraw(hub, request) : request
  // A yes or a value that arrived at the last moment stays for the command that resumes it: nothing runs on the way out.
  if (left.status !== 'pending' && !endsInEffect(left)) return deliver(context, hub, left, reporter)
  const isOpen = left.status === 'pending'
  const how = (isOpen ? howToResume : howToUse)(left, reporter.resumeCommand(left))
  context.stderr.write(`${reporter.name}: ${how}\n`)
  await printTicket(context, left, reporter).catch(() => {})
  return isOpen ? exitCodes.pending : exitCodes.effectPending
}

/** Prints and flushes what people ask back, then confirms it. A crash in between hands it over again. */
async function handOverMessages(
  context: Context,
  hub: HubApi,
  request: Request,
  messages: Message[],
  reporter: Reporter,
): Promise<number> {
  const { name, resumeCommand } = reporter
  const asked = askedBackOn(request, messages, resumeCommand(request))
  const { stderr } = context
  try {
    await reporter.printMessages(context, asked)
  } catch {
    stderr.write(`${name}: ${howToResume(request, asked.resume)}\n`)
    return exitCodes.pending
  }
  const how = harmlessTitle(`Reply with: ${asked.reply} Then run: ${asked.resume}`)
  stderr.write(`${name}: Not an answer. A person asks back, and ${request.id} stays open. ${how}\n`)
  await hub.messages.confirm(request.id, messages.at(-1)?.id ?? '').catch(error => {
    stderr.write(`${name}: Not confirmed, so these messages may come again: ${harmlessMessage(error)}\n`)
  })
  return exitCodes.askedBack
}

async function withdraw(hub: HubApi, { id }: Request): Promise<Request> {
  return (await hub.cancel(id, { reason: 'The command that asked has ended' })).request
}

export function undelivered(context: Context, request: Request, reporter: Reporter, error: unknown): number {
  const { name, resumeCommand } = reporter
  context.stderr.write(
    `${name}: The answer could not be written (${harmlessMessage(error)}) and counts as not delivered. Ask again, or run: ${harmlessTitle(resumeCommand(request))}\n`,
  )
  return exitCodes.pending
}

/** The caller already has the answer: a failure here does not change the exit code. */
async function confirm(context: Context, hub: HubApi, { id }: Request, { name }: Reporter): Promise<void> {
  try {
    await hub.confirmDelivery(id)
  } catch (error) {
    context.stderr.write(
      `${name}: The delivery of ${id} could not be confirmed, so it may be delivered again: ${harmlessMessage(error)}\n`,
    )
  }
}

function harmlessMessage(error: unknown): string {
  return harmlessTitle(errorMessage(error))
}
