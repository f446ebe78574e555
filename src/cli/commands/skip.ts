import type { Command } from 'commander'
import { addSettlingOptions, type SettlingOptions, settleRequest } from '../answering/settle.ts'
import type { Context } from '../context.ts'
import { answeringExitCodes } from '../output/exit-codes.ts'
import { IdArgument } from '../short-ids/arguments.ts'

export function registerSkip(program: Command, context: Context): void {
  const command = program
    .command('skip')
    .summary('Skip an optional request')
    .description('Skips an optional request. If it has a default, the agent gets that.')
    .addArgument(new IdArgument('[id]', 'the id of the request, or its end; without it, on a terminal, you pick one'))
  addSettlingOptions(command)
    .addHelpText('after', help)
    .action(async (id: string, options: SettlingOptions) => {
      context.exitCode = await skip(context, id, options)
    })
}

async function skip(context: Context, id: string, options: SettlingOptions): Promise<number> {
  return settleRequest(context, id, options, hub => hub.skip(id, { note: options.note ?? null }))
}

const help = `
Examples:
  beckon skip req_01jz…
  beckon skip req_01jz… --note "not needed on this machine"
${answeringExitCodes}`
