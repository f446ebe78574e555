import type { Command } from 'commander'

/** The command that the words name, whatever options stand between them; the program itself where they name none. */
export function commandNamed(parent: Command, words: readonly string[]): Command {
  for (const [i, word] of words.entries()) {
    const named = parent.commands.find(command => command.name() === word)
    if (named) return commandNamed(named, words.slice(i + 1))
  }
  return parent
}

/** `beckon token create`. */
export function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}
