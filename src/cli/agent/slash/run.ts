import { BeckonError } from '../../../protocol/errors.ts'
import { harmlessTitle } from '../../../text/harmless.ts'
import type { SlashContext } from './command.ts'
import { slashCommands } from './commands.ts'

/** A message may begin with a path, such as one of a pasted picture. */
export function isSlashCommand(line: string): boolean {
  return /^\s*\/[^\s/]*(\s|$)/.test(line)
}

/** Runs a line such as `/compact the API`; `leave` when the person wants to leave. */
export async function runSlashCommand(context: SlashContext, line: string): Promise<'leave' | undefined> {
  const [, name = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const command = slashCommands.find(one => one.name === name || one.aliases?.includes(name))
  if (command) return command.run(context, rest.trimEnd()).catch(error => showProblem(context, error))
  context.view.note(`${harmlessTitle(name)} is not a command. /help lists the commands.`)
  return undefined
}

/** The conversation goes on. */
function showProblem({ view }: SlashContext, error: unknown): undefined {
  if (!(error instanceof BeckonError)) throw error
  view.note(error.message.replaceAll(/^--model:?/g, '/model'), 'red')
}
