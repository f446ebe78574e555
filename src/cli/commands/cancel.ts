import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import { agentContext, isOwn } from '../agent-context.ts'
import { addSettlingOptions, type SettlingOptions, settleRequest } from '../answering/settle.ts'
import type { Context } from '../context.ts'
import { answeringExitCodes } from '../output/exit-codes.ts'

export function registerCancel(program: Command, context: Context): void {
  const command = program
    .command('cancel')
    .summary('Withdraw a request')
    .description('Withdraws a request. An agent may withdraw its own requests: those of its run, or of its directory.')
    .argument('<id>', 'the id of the request')
  addSettlingOptions(command)
    .addHelpText('after', help)
    .action(async (id: string, options: SettlingOptions) => {
      context.exitCode = await cancel(context, id, options)
    })
}

async function cancel(context: Context, id: string, options: SettlingOptions): Promise<number> {
  const agent = agentContext(context)
  return settleRequest(context, id, options, (hub, request) => {
    if (agent.marker !== null && !isOwn(request, agent, context.cwd)) throw notOwn(id, agent.marker)
    return hub.cancel(id, { note: options.note ?? null })
  })
}

function notOwn(id: string, marker: string): BeckonError {
  const message = `Somebody else asked ${id}, and this shell belongs to an agent (by ${marker}): an agent may only withdraw its own requests.`
  return new BeckonError('not_allowed', message, { sign: marker })
}

const help = `
Examples:
  beckon cancel req_01jz…
  beckon cancel req_01jz… --note "found it myself"
${answeringExitCodes}`
