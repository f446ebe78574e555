import type { Argument, Command, Option } from 'commander'
import { fullName } from '../command-named.ts'
import { IdArgument, IdOption } from '../short-ids/arguments.ts'

/** Every command and subcommand, with what can follow it. */
export type CompletionTree = CompletionCommand[]

export interface CompletionCommand {
  /** The words that name it: `runs logs`. Empty for the program itself. */
  path: string
  about: string
  /** Its subcommands, or the values of its first argument; with what they do. */
  words: { name: string; about: string }[]
  /** What the ids of its first argument belong to. */
  ids: string | null
  flags: CompletionFlag[]
}

export interface CompletionFlag {
  name: string
  about: string
  takesValue: boolean
  takesFile: boolean
  ids: string | null
  choices: string[]
}

export function treeOf(program: Command): CompletionTree {
  return [describe(program), ...visible(program).flatMap(withSubcommands)]
}

function withSubcommands(command: Command): CompletionCommand[] {
  return [describe(command), ...visible(command).flatMap(withSubcommands)]
}

function describe(command: Command): CompletionCommand {
  const [first] = command.registeredArguments
  const subcommands = visible(command).map(sub => ({ name: sub.name(), about: aboutOf(sub) }))
  return {
    path: fullName(command).split(' ').slice(1).join(' '),
    about: aboutOf(command),
    words: [...subcommands, ...valuesOf(first).map(name => ({ name, about: '' }))],
    ids: first instanceof IdArgument ? first.noun : null,
    flags: command.createHelp().visibleOptions(command).map(flagOf),
  }
}

function visible(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter(sub => command.parent === null || sub.name() !== 'help')
}

function aboutOf(command: Command): string {
  return command.summary() || command.description()
}

/** `need` names its types in the description: an argument with choices could not be left out. */
function valuesOf(argument: Argument | undefined): string[] {
  if (argument?.argChoices) return [...argument.argChoices]
  return argument?.name() === 'type' ? argument.description.split(', ') : []
}

function flagOf(option: Option): CompletionFlag {
  return {
    name: option.long ?? '',
    about: option.description,
    takesValue: option.required,
    takesFile: /<(file|folder)>/.test(option.flags),
    ids: option instanceof IdOption ? option.noun : null,
    choices: [...(option.argChoices ?? [])],
  }
}
