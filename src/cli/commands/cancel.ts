import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import { agentContext, isOwn } from '../agent-context.ts'
import { addSettlingOptions, type SettlingOptions, settleRequest } from '../answering/settle.ts'
import type { Context } from '../context.ts'
import { answeringExitCodes } from '../output/exit-codes.ts'

export function registerCancel(program: Command, context: Context): void {
  const command = program
    .command('cancel')
    .summary('withdraw a request')
    .description('Withdraws a request. Agents may withdraw their own: those of their run, or of their directory.')
    .argument('<id>', 'the request')
  addSettlingOptions(command)
    .addHelpText('after', help)
    .action(async (id: string, options: SettlingOptions) => {
      context.exitCode = await cancel(context, id, options)
    })
}

async function cancel(context: Context, id: string, options: SettlingOptions): Promise<number> {
  const agent = agentContext(context)
  return settleRequest(context, id, options, (hub, request) => {
    if (agent.marker !== null && !isOwn(request, agent, context.cwd)) throw notYours(id, agent.marker)
    return hub.cancel(id, { note: options.note ?? null })
  })
}

function notYours(id: string, sign: string): BeckonError {
  const message = `${id} was asked by somebody else, and this is an agent's shell (${sign} is set): it may withdraw its own requests only.`
  return new BeckonError('not_allowed', message, { sign })
}

const help = `
Examples:
  beckon cancel req_01jz…
  beckon cancel req_01jz… --note "found it myself"
${answeringExitCodes}`
