import type { AnswerInput } from '../../protocol/answer.ts'
import type { AskInput } from '../../protocol/ask.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { ParsedAsk } from '../../rules/parse-ask.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { readDuration, waitLimit } from '../durations.ts'
import { type Interruption, interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import type { Reporter } from '../output/reporter.ts'
import { withHub } from '../with-hub.ts'
import { printTicket } from './ticket.ts'

// What is needed only once somebody has to be waited for is loaded only then: an agent that asks with --async starts
// without the prompt and all that belongs to it.

/** What every asking command can be told. */
export interface AskingOptions {
  optional?: boolean
  timeout?: string
  key?: string
  async?: boolean
  cancelOnExit?: boolean
  /** Lines instead of frames, also from a pipe. */
  plain?: boolean
  /** `--no-human`: what to do where no person can be asked; true when it was not given. */
  human: true | 'fail' | 'park'
}

/** What an asking command knows before it asks, and what it does with a request that was settled. */
export interface Asking {
  input: AskInput
  options: AskingOptions
  reporter: Reporter
  /** Whether stdin is free for a prompt. */
  stdinIsFree?: boolean
  onSettled?: (hub: HubApi, request: Request) => Promise<Ending>
}

/** The exit code, or what is still to be done for it once the hub is closed. */
export type Ending = number | (() => Promise<number>)

/** Stores the request, waits for its outcome here or from elsewhere, and hands it over. */
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
  const { parseAsk } = await import('../../rules/parse-ask.ts')
  const agent = agentContext(context)
  // An agent is never asked itself; a pipe is typed into by a person only where that was said.
  const here = agent.marker === null && stdinIsFree && (context.isTerminal || options.plain === true)
  const patience = await waitLimit(context.env)
  const input: AskInput = { ...asking.input, ...(await commonInput(options)), run: agent.run }
  const parsed = parseAsk(input)
  const known = agent.marker === null ? await knownAnswers(context, parsed, reporter) : null
  if (!here && !known && options.human === 'fail') throw nobodyHere()

  return async (hub, signal) => {
    const name = agent.name ?? (await nameOfRun(hub, agent.run)) ?? 'shell'
    const asked = await hub.raise({ ...input, agent: { name, cwd: context.cwd } }).catch(asBadInput)
    const raised = known && asked.status === 'pending' ? (await hub.answer(asked.id, known)).request : asked
    if (options.async) return handOutTicket(context, raised, reporter)
    return waitAndDeliver(context, hub, raised, asking, { here, patience, plain: options.plain, signal })
  }
}

interface Patience extends Pick<Interruption, 'signal'> {
  here: boolean
  plain: boolean | undefined
  patience: number
}

async function waitAndDeliver(
  context: Context,
  hub: HubApi,
  raised: Request,
  { options, reporter, onSettled }: Asking,
  waiting: Patience,
): Promise<Ending> {
  const { waitUntilSettled } = await import('./wait-until-settled.ts')
  const { deliver, leave } = await import('./deliver.ts')
  const announced = waiting.here ? null : announceLater(context, raised, reporter)
  const request = await waitUntilSettled(context, hub, raised, waiting).finally(() =>
    clearTimeout(announced ?? undefined),
  )
  if (request.status === 'pending') {
    return leave(context, hub, request, { cancelOnExit: options.cancelOnExit ?? false, reporter })
  }
  return onSettled ? onSettled(hub, request) : deliver(context, hub, request, reporter)
}

const announceAfter = 2_000

/** Some agents cut a command off after ten seconds and see only what it said until then. */
function announceLater({ stderr }: Context, request: Request, { name, announcement }: Reporter) {
  return setTimeout(() => stderr.write(`${name}: ${announcement(request)}\n`), announceAfter)
}

/** Without its ticket the caller does not know what it asked: then it is no success. */
async function handOutTicket(context: Context, request: Request, reporter: Reporter): Promise<number> {
  try {
    await printTicket(context, request, reporter)
    return exitCodes.fine
  } catch {
    const { howToResume } = await import('../output/describe-outcome.ts')
    context.stderr.write(`${reporter.name}: ${howToResume(request, reporter.waitCommand(request))}\n`)
    return exitCodes.pending
  }
}

/** Answers from a file, for CI. An agent has none: what asks must not answer. */
async function knownAnswers(context: Context, parsed: ParsedAsk, reporter: Reporter): Promise<AnswerInput | null> {
  const file = context.env.BECKON_ANSWERS
  if (!file) return null
  const { answersFromFile } = await import('./answers-file.ts')
  return answersFromFile(context, file, parsed, reporter)
}

/** Whatever forbids the ask, such as a run that has ended: nothing was asked. */
function asBadInput(error: unknown): never {
  if (error instanceof BeckonError && error.code === 'not_allowed') {
    throw new BeckonError('invalid', error.message, error.details, error)
  }
  throw error
}

async function commonInput({ optional = false, timeout, key }: AskingOptions) {
  return {
    required: !optional,
    timeout: timeout === undefined ? null : await readDuration(timeout, 'timeout'),
    key: key ?? null,
  }
}

async function nameOfRun(hub: HubApi, run: string | null): Promise<string | null> {
  if (run === null) return null
  return hub.runs.get(run).then(
    ({ name }) => name,
    () => null,
  )
}

function nobodyHere(): BeckonError {
  return new BeckonError('nobody', 'Nobody can be asked here: this is no terminal, and --no-human is "fail".')
}
