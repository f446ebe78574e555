import type { Command } from 'commander'
import { invalid } from '../../protocol/errors.ts'
import { addSettlingOptions, type SettlingOptions, settleRequest } from '../answering/settle.ts'
import type { Context } from '../context.ts'
import { answeringExitCodes } from '../output/exit-codes.ts'
import { IdArgument } from '../short-ids/arguments.ts'

interface DeclineOptions extends SettlingOptions {
  reason: string
}

export function registerDecline(program: Command, context: Context): void {
  const command = program
    .command('decline')
    .summary('Decline a request, with a reason')
    .description('Declines a request. The agent gets the reason.')
    .addArgument(new IdArgument('[id]', 'the id of the request, or its end; without it, on a terminal, you pick one'))
    .requiredOption('--reason <text>', 'why you decline')
  addSettlingOptions(command)
    .addHelpText('after', help)
    .action(async (id: string, options: DeclineOptions) => {
      context.exitCode = await decline(context, id, options)
    })
}

async function decline(context: Context, id: string, options: DeclineOptions): Promise<number> {
  const { reason, note = null } = options
  if (reason.trim() === '') throw invalid([{ path: 'reason', message: 'must not be empty' }])
  return settleRequest(context, id, options, hub => hub.decline(id, { reason, note }))
}

const help = `
Examples:
  beckon decline req_01jz… --reason "use the staging key"
${answeringExitCodes}`
