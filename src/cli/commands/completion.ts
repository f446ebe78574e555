import { existsSync } from 'node:fs'
import { Argument, type Command } from 'commander'
import { type CompletionTree, scripts } from '../completion/scripts.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { databaseFile, withHub } from '../with-hub.ts'

type Shell = keyof typeof scripts

export function registerCompletion(program: Command, context: Context): void {
  program
    .command('completion')
    .summary('Print a completion script for your shell')
    .description('Prints a script that completes commands, flags and the ids of waiting requests.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: Shell) => {
      await print(context.stdout, scripts[shell](treeOf(program)))
      context.exitCode = exitCodes.fine
    })
}

/** The scripts run it to complete ids. */
export function registerCompletedIds(program: Command, context: Context): void {
  program
    .command('__complete', { hidden: true })
    .argument('<what>')
    .action(async () => {
      context.exitCode = await printIds(context)
    })
}

/** The scripts call it on every Tab: it must be fast, and silent on every error. */
async function printIds(context: Context): Promise<number> {
  try {
    const file = await databaseFile(context)
    if (file !== null && !existsSync(file)) return exitCodes.fine
    const { requests } = await withHub(context, hub => hub.list({ limit: 200 }), { sweeps: false })
    await print(context.stdout, requests.map(({ id }) => `${id}\n`).join(''))
  } catch {
    // Without ids, there is nothing to complete.
  }
  return exitCodes.fine
}

function treeOf(program: Command): CompletionTree {
  const commands = program.createHelp().visibleCommands(program)
  return commands.map(command => ({
    name: command.name(),
    about: command.summary() || command.description(),
    takesId: command.registeredArguments[0]?.name() === 'id',
    choices: [...(command.registeredArguments[0]?.argChoices ?? [])],
    flags: command
      .createHelp()
      .visibleOptions(command)
      .map(({ long, required, argChoices, description, flags }) => ({
        name: long ?? '',
        about: description,
        takesValue: required,
        takesFile: flags.includes('<file>'),
        takesId: flags.includes('<id>'),
        choices: [...(argChoices ?? [])],
      })),
  }))
}

const help = `
Examples:
  echo 'source <(beckon completion bash)' >> ~/.bashrc
  beckon completion zsh > "\${fpath[1]}/_beckon"
  beckon completion fish > ~/.config/fish/completions/beckon.fish`
