import { type Command, Option } from 'commander'
import type { AskInput } from '../protocol/ask.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { agentContext } from './agent-context.ts'
import type { Context } from './context.ts'
import { deliver, leave } from './deliver.ts'
import { patienceOf, readDuration } from './durations.ts'
import { exitCodes } from './exit-codes.ts'
import { interruption } from './signals.ts'
import { printTicket } from './ticket.ts'
import { waitFor } from './waiting.ts'
import { withHub } from './with-hub.ts'
import { wayBack } from './wording.ts'

/** The flags that every asking command has. */
export interface AskingOptions {
  optional?: boolean
  timeout?: string
  key?: string
  async?: boolean
  cancelOnExit?: boolean
  /** `--no-human`: what to do where no person can be asked; true when it was not given. */
  human: true | 'fail' | 'park'
  json?: boolean
}

export function addAskingOptions(command: Command): Command {
  return command
    .option('--optional', 'a person may skip it')
    .option('--timeout <duration>', 'a deadline, such as 90s, 15m, 1h30m; none unless given')
    .option('--key <key>', 'the same key and content is the same request, also later and after a crash')
    .option('--async', 'print the ticket and do not wait')
    .option('--cancel-on-exit', 'withdraw the request when this command ends without an outcome')
    .addOption(
      new Option('--no-human <what>', 'off a terminal: exit 69 and ask nothing, or wait and hand out a ticket').choices(
        ['fail', 'park'],
      ),
    )
    .option('--json', 'print one JSON document')
}

/** What an asking command knows before it asks, and what it does with a request that was settled. */
export interface Asking {
  input: AskInput
  options: AskingOptions
  /** Whether stdin is free for a prompt. */
  stdinIsFree?: boolean
  onSettled?: (hub: HubApi, request: Request) => Promise<Ending>
}

/** The exit code, or what is still to be done for it once the hub is closed. */
export type Ending = number | (() => Promise<number>)

/** Stores the request, waits for its outcome here or from elsewhere, and hands it over. */
export async function askAndWait(context: Context, asking: Asking): Promise<number> {
  const { options, stdinIsFree = true } = asking
  const { parseAsk } = await import('../core/parse-ask.ts')
  const { async = false, cancelOnExit = false, json = false } = options
  const agent = agentContext(context)
  const here = context.isTerminal && agent.sign === null && stdinIsFree
  const patience = await patienceOf(context.env)
  const input: AskInput = { ...asking.input, ...(await commonInput(options)), run: agent.run }
  // Everything is checked before the database is opened.
  parseAsk(input)
  if (!here && options.human === 'fail') throw nobodyHere()

  const interrupted = interruption()
  const ending = await withHub(context, async (hub): Promise<Ending> => {
    const name = agent.name ?? (await nameOfRun(hub, agent.run)) ?? 'shell'
    const raised = await hub.raise({ ...input, agent: { name, cwd: context.cwd } }).catch(asBadInput)
    if (async) return handOutTicket(context, raised)
    const { signal } = interrupted
    const request = await waitFor(context, hub, raised, { here, patience, announce: true, signal })
    if (request.status === 'pending') return leave(context, hub, request, { cancelOnExit, json })
    return asking.onSettled ? asking.onSettled(hub, request) : deliver(context, hub, request, json)
  }).finally(interrupted.release)
  return typeof ending === 'number' ? ending : ending()
}

/** Without its ticket the caller does not know what it asked: then it is no success. */
async function handOutTicket(context: Context, request: Request): Promise<number> {
  try {
    await printTicket(context, request)
    return exitCodes.fine
  } catch {
    context.stderr.write(`beckon: ${wayBack(request)}\n`)
    return exitCodes.pending
  }
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
  return hub.getRun(run).then(
    ({ name }) => name,
    () => null,
  )
}

function nobodyHere(): BeckonError {
  return new BeckonError('nobody', 'Nobody can be asked here: this is no terminal, and --no-human is "fail".')
}
