import type { Command } from 'commander'
import { notOwnRequest } from '../../system/agent-context.ts'
import { agentContext, isOwn } from '../agent-context.ts'
import { addSettlingOptions, type SettlingOptions, settleRequest } from '../answering/settle.ts'
import type { Context } from '../context.ts'
import { answeringExitCodes } from '../output/exit-codes.ts'
import { IdArgument } from '../short-ids/arguments.ts'

export function registerCancel(program: Command, context: Context): void {
  const command = program
    .command('cancel')
    .summary('Withdraw a request')
    .description(
      'Withdraws a request. An agent may withdraw its own requests: those of the run that it works in, or of its directory.',
    )
    .addArgument(new IdArgument('[id]', 'the id of the request, or its end; without it, on a terminal, you pick one'))
  addSettlingOptions(command)
    .addHelpText('after', help)
    .action(async (id: string, options: SettlingOptions) => {
      context.exitCode = await cancel(context, id, options)
    })
}

async function cancel(context: Context, id: string, options: SettlingOptions): Promise<number> {
  const agent = agentContext(context)
  return settleRequest(context, id, options, async (hub, request) => {
    if (agent.marker !== null && !(await isOwn(hub, request, agent, context))) throw notOwnRequest(id, agent)
    return hub.cancel(id, { note: options.note ?? null })
  })
}

const help = `
Examples:
  beckon cancel req_01jz…
  beckon cancel req_01jz… --note "found it myself"
${answeringExitCodes}`
