import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import { fullName } from '../command-named.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'

/** Instead of commander's own, which knows the first word alone. */
export function registerHelp(program: Command, context: Context): void {
  program
    .command('help')
    .summary('Print the help of a command')
    .description('Prints the help of a command, or of Beckon.')
    .argument('[command...]', 'the command, such as runs logs')
    .addHelpText('after', '\nExamples:\n  beckon help ask\n  beckon help runs logs')
    .action((words: string[]) => {
      commandAt(program, words).outputHelp()
      context.exitCode = exitCodes.fine
    })
}

function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => {
    const named = command.commands.find(sub => sub.name() === word)
    if (named) return named
    throw new BeckonError('invalid', `${fullName(command)} has no command "${word}". See: ${fullName(command)} --help`)
  }, program)
}
