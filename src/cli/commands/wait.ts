import type { Command } from 'commander'
import { agentContext, isOwnToTalk } from '../agent-context.ts'
import { deliver, stopWaiting } from '../asking/deliver.ts'
import { isUnused, reportUnused } from '../asking/report-unused.ts'
import { waitUntilSettled } from '../asking/wait-until-settled.ts'
import type { Context } from '../context.ts'
import { readDuration, waitLimit } from '../durations.ts'
import { interruption } from '../interruption.ts'
import { askingExitCodes } from '../output/exit-codes.ts'
import { beckonReporter } from '../output/reporter.ts'
import { IdArgument } from '../short-ids/arguments.ts'
import { withHub } from '../with-hub.ts'

interface WaitOptions {
  for?: string
  json?: boolean
}

export function registerWait(program: Command, context: Context): void {
  program
    .command('wait')
    .summary('Wait again for a request, by its ticket')
    .description(
      'Waits until a request is settled and prints the outcome as ask does. It runs no command and reveals no secret.',
    )
    .addArgument(new IdArgument('<id>', 'the id of the request, from the ticket'))
    .option('--for <duration>', 'how long to wait (default: BECKON_WAIT, or 100s)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', help)
    .action(async (id: string, options: WaitOptions) => {
      context.exitCode = await wait(context, id, options)
    })
}

async function wait(context: Context, id: string, options: WaitOptions): Promise<number> {
  const reporter = beckonReporter(options.json)
  const timeout =
    options.for === undefined ? await waitLimit(context.env) : await readDuration(options.for, 'for', { zero: true })
  const interrupted = interruption()
  const agent = agentContext(context)
  return withHub(context, async hub => {
    const seen = await hub.get(id)
    const hears = agent.marker !== null && (await isOwnToTalk(hub, seen, agent, context))
    const request = await waitUntilSettled(context, hub, seen, {
      promptsHere: false,
      timeout,
      hears,
      signal: interrupted.signal,
    })
    if (request.status === 'pending')
      return stopWaiting(context, hub, request, { cancelOnExit: false, hears, reporter })
    return isUnused(request)
      ? reportUnused(context, request, options.json ?? false)
      : deliver(context, hub, request, reporter)
  }).finally(interrupted.release)
}

const help = `
It runs nothing. After a yes, or for a value that nobody used yet, it exits 14 and says which command goes on ("resume"
with --json). For a dependency it prints the reference; "beckon need --ref" runs a command with the value. An agent whose
question a person asks back about gets their message, exit 76, and how to reply; without a reply, it can wait on.

Examples:
  beckon wait req_01jz…
  beckon wait req_01jz… --for 10m --json
${askingExitCodes}
  4   no such request`
