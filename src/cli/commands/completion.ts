import { existsSync } from 'node:fs'
import { Argument, type Command } from 'commander'
import type { HubApi } from '../../protocol/hub.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { scripts } from '../completion/scripts.ts'
import { treeOf } from '../completion/tree.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { databaseFile, withHub } from '../with-hub.ts'

type Shell = keyof typeof scripts

export function registerCompletion(program: Command, context: Context): void {
  program
    .command('completion')
    .summary('Print a completion script for your shell')
    .description('Prints a script that completes commands, flags, and the ids of waiting requests and of runs.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: Shell) => {
      await print(context.stdout, scripts[shell](treeOf(program)))
      context.exitCode = exitCodes.fine
    })
}

/** The scripts run it to complete ids: each with a tab and what it is about. */
export function registerCompletedIds(program: Command, context: Context): void {
  program
    .command('__complete', { hidden: true })
    .argument('<what>')
    .action(async (what: string) => {
      context.exitCode = await printIds(context, what)
    })
}

/** The scripts call it on every Tab: it must be fast, and silent on every error. */
async function printIds(context: Context, what: string): Promise<number> {
  try {
    const file = await databaseFile(context)
    if (file !== null && !existsSync(file)) return exitCodes.fine
    const found = await withHub(context, hub => find(hub, what), { sweeps: false })
    const lines = found.map(([id, title]) => `${id}\t${cut(harmlessTitle(title), 60)}\n`)
    await print(context.stdout, lines.join(''))
  } catch {
    // Without ids, there is nothing to complete.
  }
  return exitCodes.fine
}

type Titled = readonly [id: string, title: string]

async function find(hub: HubApi, what: string): Promise<Titled[]> {
  if (what === 'run') return (await hub.runs.list({ limit: 50 })).map(({ id, name }) => [id, name] as const)
  if (what === 'checkpoint') return findCheckpoints(hub)
  const { titleOf } = await import('../../rules/title.ts')
  const { requests } = await hub.list({ limit: 200 })
  return requests.map(request => [request.id, titleOf(request)] as const)
}

/** Of the latest runs: nobody restores the others by heart. */
async function findCheckpoints(hub: HubApi): Promise<Titled[]> {
  const runs = await hub.runs.list({ limit: 5 })
  const lists = await Promise.all(runs.map(({ id }) => hub.checkpoints.list(id, { limit: 20 })))
  return lists.flat().map(({ id, reason, at }) => [id, `${reason}, ${at}`] as const)
}

const help = `
Examples:
  echo 'source <(beckon completion bash)' >> ~/.bashrc
  beckon completion zsh > "\${fpath[1]}/_beckon"
  beckon completion fish > ~/.config/fish/completions/beckon.fish`
