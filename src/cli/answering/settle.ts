import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { describeOutcome } from '../output/describe-outcome.ts'
import { SettledOtherwise } from '../output/errors.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import type { RunContext } from '../run/look-after.ts'
import { IdOption } from '../short-ids/arguments.ts'
import { withHub } from '../with-hub.ts'

/** The flags that every settling command has. */
export interface SettlingOptions {
  note?: string
  run?: string
  json?: boolean
}

export function addSettlingOptions(command: Command): Command {
  return command
    .option('--note <text>', 'a note to the agent')
    .addOption(new IdOption('--run <run>', 'only if the request belongs to this run'))
    .option('--json', 'print the request as one JSON document')
}

/** `told`: a prompt here has left its line about the outcome. */
type Settling = Settlement & { readonly told?: boolean }

/** Finds the request, settles it and reports the result. */
export function settleRequest(
  context: Context,
  id: string,
  options: SettlingOptions,
  settle: (hub: HubApi, request: Request) => Promise<Settling>,
): Promise<number> {
  return withHub(context, async hub => {
    const request = await hub.get(id)
    if (options.run !== undefined && request.run !== options.run) throw notOfRun(id, options.run)
    return lookingAfterRun(context, hub, request.run, async () =>
      reportSettlement(context, await settle(hub, request), options),
    )
  })
}

/** The same hub, for what settles several requests: each settled request reaches its run. */
export function hubForRuns(context: RunContext, hub: HubApi): HubApi {
  return {
    ...hub,
    answer: (id, input) => settle(id, () => hub.answer(id, input)),
    skip: (id, input) => settle(id, () => hub.skip(id, input)),
    decline: (id, input) => settle(id, () => hub.decline(id, input)),
  }

  async function settle(id: string, work: () => Promise<Settlement>): Promise<Settlement> {
    const { run } = await hub.get(id)
    return lookingAfterRun(context, hub, run, work)
  }
}

/** A run that nobody looks after is taken over once its request is settled. */
async function lookingAfterRun<T>(
  context: RunContext,
  hub: HubApi,
  run: string | null,
  work: () => Promise<T>,
): Promise<T> {
  // Loaded before anything is settled: what fails from then on must not change the exit code.
  const { lookAfterRunOf } = await import('../run/look-after.ts')
  const takeRunOver = await lookAfterRunOf(context, hub, run)
  try {
    return await work()
  } finally {
    await takeRunOver().catch(() => {
      context.stderr.write(`beckon: It is not known whether anybody looks after ${run}. See: beckon runs\n`)
    })
  }
}

async function reportSettlement(
  context: Context,
  { won, replay, request, kept, told = false }: Settling,
  { json = false }: SettlingOptions,
): Promise<number> {
  if (!won && !replay) throw new SettledOtherwise(request)
  if (!told)
    context.stderr.write(
      `${request.id} ${won ? 'is settled' : 'was already settled with the same answer'}. ${describeOutcome(request)}\n`,
    )
  if (kept !== undefined) {
    context.stderr.write(`Kept as ${harmlessTitle(kept)}. To delete it: beckon kept remove NAME\n`)
  }
  if (json) await printJson(context.stdout, request)
  return exitCodes.fine
}

function notOfRun(id: string, run: string): BeckonError {
  return new BeckonError('not_found', `Run ${run} has no request ${id}.`)
}
