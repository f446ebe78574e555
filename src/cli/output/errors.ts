import { CommanderError } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessJson, harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { describeOutcome } from './describe-outcome.ts'
import { exitCodeOfError, exitCodes } from './exit-codes.ts'
import { print } from './print.ts'

/** Somebody else was first. Their outcome is in the details. */
export class SettledOtherwise extends Error {
  readonly code = 'settled_otherwise'
  readonly details: Request['outcome']

  constructor(request: Request) {
    super(`${request.id} is settled already. ${describeOutcome(request, { when: true })}`)
    this.details = request.outcome
  }
}

/** The one way out for every fault: one line for people, one document for programs, never a stack trace. */
export async function reportError(context: Context, error: unknown): Promise<number> {
  if (error instanceof CommanderError && isHelp(error)) return exitCodes.fine
  // Whoever read has seen enough; what must be read is looked after where it is written.
  if (isClosedPipe(error)) return exitCodes.fine
  const { code, message, details, exitCode } = describe(error, context)
  const line = `beckon: ${harmlessTitle(message)}\n`
  await print(context.stderr, context.env.BECKON_DEBUG ? `${line}${stackOf(error)}\n` : line).catch(() => {})
  if (wantsJson(context.args)) {
    await print(context.stdout, `${harmlessJson({ error: { code, message, details } })}\n`).catch(() => {})
  }
  return exitCode
}

/** Commander has printed help, or the version; it calls the help for a missing subcommand an error, and we do not. */
export function isHelp({ code, exitCode }: CommanderError): boolean {
  return exitCode === 0 || code === 'commander.help'
}

/** Also when the arguments are so wrong that they could not be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).includes('--json')
}

function describe(error: unknown, { args }: Context) {
  if (error instanceof BeckonError) {
    const { code, message, details } = error
    return { code, message, details, exitCode: exitCodeOfError(code) }
  }
  if (error instanceof SettledOtherwise) {
    const { code, message, details } = error
    return { code, message, details, exitCode: exitCodes.settledOtherwise }
  }
  const message = error instanceof CommanderError ? usageMessage(error, args) : messageOf(error)
  return { code: 'invalid', message, details: null, exitCode: exitCodes.invalid }
}

/** Commander repeats surplus arguments; they may be a secret that was put in the wrong place. */
function usageMessage({ code, message }: CommanderError, [command = '']: readonly string[]): string {
  const plain = message
    .replace(/^error: /, '')
    .replace(/( but got \d+): .*$/s, '$1; quote texts that have spaces')
    .replaceAll('\n', ' ')
    .replace(/[.!]$/, '')
  const known = code !== 'commander.unknownCommand' && /^[a-z]+$/.test(command)
  return `${plain}. See: beckon ${known ? `${command} ` : ''}--help`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
