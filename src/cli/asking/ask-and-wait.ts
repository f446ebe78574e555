import { config } from 'zod'
import type { AnswerInput } from '../../protocol/answer.ts'
import type { AskInput } from '../../protocol/ask.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { ParsedAsk } from '../../rules/parse-ask.ts'
import type { AgentContext } from '../../system/agent-context.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { readDuration, waitLimit } from '../durations.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import type { Reporter } from '../output/reporter.ts'
import { withHub } from '../with-hub.ts'
import { printTicket } from './ticket.ts'
import type { WaitOptions } from './wait-until-settled.ts'

// The prompt and the wait are imported when they are needed: an agent that asks with --async starts faster without them.

/** The flags that every asking command has. */
export interface AskingOptions {
  optional?: boolean
  timeout?: string
  /** How long to wait off a terminal, instead of BECKON_WAIT. */
  wait?: string
  key?: string
  async?: boolean
  cancelOnExit?: boolean
  /** Prompt in plain lines, also when stdin is a pipe. */
  plain?: boolean
  /** `--no-human`: what to do when nobody can be asked; true when the flag was not given. */
  human: true | 'fail' | 'park'
}

/** What to ask, and what to do with the request once it is settled. */
export interface Asking {
  input: AskInput
  options: AskingOptions
  reporter: Reporter
  /** Something about the flags that the caller may not expect. */
  hint?: string | null
  /** False when the command has read its input from stdin, so that a prompt cannot. */
  stdinIsFree?: boolean
  /** `told`: the prompt here has left its line about the outcome. */
  onSettled?: (hub: HubApi, request: Request, told: boolean) => Promise<Ending>
}

/** The exit code, or work that returns it after the hub is closed. */
export type Ending = number | (() => Promise<number>)

/** Stores the request, waits until it is settled here or elsewhere, and delivers the outcome. */
export async function askAndWait(context: Context, asking: Asking): Promise<number> {
  // Everything is checked before the database is opened.
  const ask = await prepareToAsk(context, asking)
  return withHubUntilEnding(context, ask)
}

/** A signal asks the work to leave in good order; what its ending still has to do runs once the hub is closed. */
export async function withHubUntilEnding(
  context: Context,
  work: (hub: HubApi, signal: AbortSignal) => Promise<Ending>,
): Promise<number> {
  const interrupted = interruption()
  const ending = await withHub(context, hub => work(hub, interrupted.signal)).finally(interrupted.release)
  return typeof ending === 'number' ? ending : ending()
}

type Ask = (hub: HubApi, signal: AbortSignal) => Promise<Ending>

/** Checks everything that can be checked without a hub, and returns what asks on one. */
export async function prepareToAsk(context: Context, asking: Asking): Promise<Ask> {
  const { options, reporter, stdinIsFree = true } = asking
  // Compiling a parser pays off from the third use on, and a command parses twice.
  config({ jitless: true })
  const { parseAsk } = await import('../../rules/parse-ask.ts')
  const agent = agentContext(context)
  const waiting = await waitingHere(context, options, stdinIsFree, agent)
  const input: AskInput = {
    ...asking.input,
    ...(await commonInput(options)),
    run: agent.run,
    session: agent.sessionName,
    canReply: waiting.hears,
  }
  const parsed = parseAsk(input)
  if (asking.hint) context.stderr.write(`${reporter.name}: ${asking.hint}\n`)
  const known = agent.marker === null ? await knownAnswers(context, parsed, reporter) : null
  if (!waiting.promptsHere && !known && options.human === 'fail') throw nobodyToAsk()

  return async (hub, signal) => {
    const name = await nameOfAsker(hub, agent)
    const asked = await hub.raise({ ...input, agent: { name, cwd: context.cwd } }).catch(asBadInput)
    const raised = known && asked.status === 'pending' ? (await hub.answer(asked.id, known)).request : asked
    if (options.async) return handOutTicket(context, raised, reporter)
    return waitAndDeliver(context, hub, raised, asking, { ...waiting, signal })
  }
}

/** Who is asked here, and for how long. */
export async function waitingHere(
  context: Context,
  { plain, cancelOnExit = false, wait }: AskingOptions,
  stdinIsFree = true,
  agent = agentContext(context),
): Promise<Omit<WaitOptions, 'signal'>> {
  // An agent must not answer its own question. Only --plain says that a person types into a pipe.
  const isPerson = agent.marker === null
  const atStdin = stdinIsFree && (context.isTerminal || plain === true)
  // A here-document or a pipe gave the question; the person is still at the keyboard.
  const atKeyboard = !stdinIsFree && isPerson && (await hasKeyboard(context))
  const promptsHere = isPerson && (atStdin || atKeyboard)
  // A caller that withdraws its request when it leaves cannot come back with a reply.
  const hears = !isPerson && !cancelOnExit
  return { promptsHere, timeout: await waitLimit(context.env, wait), plain, hears, keyboard: atKeyboard }
}

async function hasKeyboard({ stderr }: Context): Promise<boolean> {
  if (!stderr.isTTY) return false
  const { canOpenKeyboard } = await import('./keyboard.ts')
  return canOpenKeyboard()
}

/** Waits until a stored request is settled, and delivers the outcome; or hands out its ticket. */
export async function waitAndDeliver(
  context: Context,
  hub: HubApi,
  raised: Request,
  { options, reporter, onSettled }: Omit<Asking, 'input'>,
  waiting: WaitOptions,
): Promise<Ending> {
  const { waitUntilSettled } = await import('./wait-until-settled.ts')
  const { deliver, stopWaiting } = await import('./deliver.ts')
  const announcement = waiting.promptsHere ? null : announceLater(context, raised, reporter)
  const request = await waitUntilSettled(context, hub, raised, waiting).finally(() =>
    clearTimeout(announcement ?? undefined),
  )
  if (request.status === 'pending') {
    const { hears } = waiting
    return stopWaiting(context, hub, request, { cancelOnExit: options.cancelOnExit ?? false, hears, reporter })
  }
  const told = waiting.promptsHere && raised.status === 'pending'
  return onSettled ? onSettled(hub, request, told) : deliver(context, hub, request, reporter, { told })
}

const announceAfter = 2_000

/** Some agents kill a command after ten seconds, and see only what it has printed by then. */
function announceLater({ stderr }: Context, request: Request, { name, announcement }: Reporter) {
  return setTimeout(() => stderr.write(`${name}: ${announcement(request)}\n`), announceAfter)
}

/** A caller that cannot get its ticket does not know its request: that is not a success. */
async function handOutTicket(context: Context, request: Request, reporter: Reporter): Promise<number> {
  try {
    await printTicket(context, request, reporter)
    return exitCodes.fine
  } catch {
    const { howToResume } = await import('../output/describe-outcome.ts')
    context.stderr.write(`${reporter.name}: ${howToResume(request, reporter.resumeCommand(request))}\n`)
    return exitCodes.pending
  }
}

/** Answers from BECKON_ANSWERS, for CI. Not in agent context: an agent must not answer itself. */
async function knownAnswers(context: Context, parsed: ParsedAsk, reporter: Reporter): Promise<AnswerInput | null> {
  const file = context.env.BECKON_ANSWERS
  if (!file) return null
  const { answersFromFile } = await import('./answers-file.ts')
  return answersFromFile(context, file, parsed, reporter)
}

/** The hub forbids the request, for instance because its run has ended: nothing was asked, which is exit 1. */
function asBadInput(error: unknown): never {
  if (error instanceof BeckonError && error.code === 'not_allowed') {
    throw new BeckonError('invalid', error.message, error.details, error)
  }
  throw error
}

async function commonInput({ optional = false, timeout, key }: AskingOptions) {
  return {
    required: !optional,
    timeout: timeout === undefined ? null : await readDuration(timeout, 'timeout', { unit: true }),
    key: key ?? null,
  }
}

/** The agent, else its run, else a shell. */
export async function nameOfAsker(hub: HubApi, { name, run }: Pick<AgentContext, 'name' | 'run'>): Promise<string> {
  return name ?? (await nameOfRun(hub, run)) ?? 'shell'
}

async function nameOfRun(hub: HubApi, run: string | null): Promise<string | null> {
  if (run === null) return null
  return hub.runs.get(run).then(
    ({ name }) => name,
    () => null,
  )
}

function nobodyToAsk(): BeckonError {
  return new BeckonError('nobody', 'Nobody can be asked here: there is no terminal, and --no-human is "fail".')
}
