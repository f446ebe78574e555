import { type Command, CommanderError } from 'commander'
import { MissingModel } from '../../agent/model/choose.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { Request } from '../../protocol/request.ts'
import { harmless, harmlessJson, harmlessTitle } from '../../text/harmless.ts'
import { fullName } from '../command-named.ts'
import type { Context } from '../context.ts'
import { AmbiguousId } from '../short-ids/complete-ids.ts'
import { describeOutcome } from './describe-outcome.ts'
import { errorMessage } from './error-message.ts'
import { exitCodeOfError, exitCodes } from './exit-codes.ts'
import { inFlags } from './flag-names.ts'
import { nextStep } from './next-step.ts'
import { print } from './print.ts'

/** Somebody else settled the request first. Their outcome is in the details. */
export class SettledOtherwise extends Error {
  readonly code = 'settled_otherwise'
  readonly details: Request['outcome']

  constructor(request: Request) {
    super(`${request.id} is already settled. ${describeOutcome(request, { when: true })}`)
    this.details = request.outcome
  }
}

/** Every error ends here: one line for people, one document for programs, never a stack trace. */
export async function reportError(context: Context, error: unknown, command: Command): Promise<number> {
  if (error instanceof CommanderError && isHelp(error)) return exitCodes.fine
  // The reader of a pipe has seen enough. A write that must succeed is checked where it happens.
  if (isClosedPipe(error)) return exitCodes.fine
  const { code, message, details, exitCode } = describe(error, command)
  const line = `beckon: ${harmlessTitle(message)}${nextStep(error)}\n${linesBelow(error)}`
  await print(context.stderr, context.env.BECKON_DEBUG ? `${line}${stackOf(error)}\n` : line).catch(() => {})
  if (wantsJson(context.args)) {
    await print(context.stdout, `${harmlessJson({ error: { code, message, details } })}\n`).catch(() => {})
  }
  return exitCode
}

function linesBelow(error: unknown): string {
  const lines = error instanceof AmbiguousId || error instanceof MissingModel ? error.lines : []
  return lines.map(line => `${harmless(line)}\n`).join('')
}

/** Commander printed help, or the version. It calls the help for a missing subcommand an error; we do not. */
export function isHelp({ code, exitCode }: CommanderError): boolean {
  return exitCode === 0 || code === 'commander.help'
}

/** Not what commander parsed: arguments that it cannot parse may still ask for JSON. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).includes('--json')
}

function describe(error: unknown, command: Command) {
  if (error instanceof BeckonError) {
    const { code, details } = error
    return { code, message: inFlags(error, command), details, exitCode: exitCodeOfError(code) }
  }
  if (error instanceof SettledOtherwise) {
    const { code, message, details } = error
    return { code, message, details, exitCode: exitCodes.settledOtherwise }
  }
  const message = error instanceof CommanderError ? usageMessage(error, command) : errorMessage(error)
  return { code: 'invalid', message, details: null, exitCode: exitCodes.invalid }
}

/** Commander repeats surplus arguments; one of them may be a secret that was put in the wrong place. */
function usageMessage({ message }: CommanderError, command: Command): string {
  const plain = message
    .replace(/^error: /, '')
    .replace(/( but got \d+): .*$/s, '$1; quote texts that contain spaces')
    .replaceAll('\n', ' ')
    .replace(/[.!]$/, '')
  return `${plain}. See: ${fullName(command)} --help`
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
