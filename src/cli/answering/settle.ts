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
    .option('--run <run>', 'only if the request belongs to this run')
    .option('--json', 'print the request as one JSON document')
}

/** Finds the request, settles it and reports the result. */
export function settleRequest(
  context: Context,
  id: string,
  options: SettlingOptions,
  settle: (hub: HubApi, request: Request) => Promise<Settlement>,
): Promise<number> {
  return withHub(context, async hub => {
    const request = await hub.get(id)
    if (options.run !== undefined && request.run !== options.run) throw notOfRun(id, options.run)
    // Loaded before anything is settled: what fails from then on must not change the exit code.
    const { lookAfterRunOf } = await import('../run/look-after.ts')
    const takeRunOver = await lookAfterRunOf(context, hub, request.run)
    try {
      return await reportSettlement(context, await settle(hub, request), options)
    } finally {
      await takeRunOver().catch(() => {
        context.stderr.write(`beckon: It is not known whether anybody looks after ${request.run}. See: beckon runs\n`)
      })
    }
  })
}

async function reportSettlement(
  context: Context,
  { won, replay, request, kept }: Settlement,
  { json = false }: SettlingOptions,
): Promise<number> {
  if (!won && !replay) throw new SettledOtherwise(request)
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
