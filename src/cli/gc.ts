import type { Command } from 'commander'
import type { Context } from './context.ts'
import { readDuration } from './durations.ts'
import { exitCodes } from './exit-codes.ts'
import { printJson } from './output.ts'
import { withStore } from './with-hub.ts'

interface GcOptions {
  olderThan: string
  json?: boolean
}

export function registerGc(program: Command, context: Context): void {
  program
    .command('gc')
    .summary('delete what was settled long ago')
    .description(
      'Deletes requests that were settled, events that happened, and runs that ended longer ago than that, with their logs and files.',
    )
    .requiredOption('--older-than <duration>', 'such as 90d')
    .option('--json', 'print { "requests", "events", "runs" }: how many of each')
    .addHelpText(
      'after',
      '\nWhat is still pending is never deleted, nor what a run may come back for. Answers that nobody came for are.\n\nExamples:\n  beckon gc --older-than 90d',
    )
    .action(async (options: GcOptions) => {
      context.exitCode = await gc(context, options)
    })
}

async function gc(context: Context, { olderThan, json = false }: GcOptions): Promise<number> {
  const age = await readDuration(olderThan, 'older-than', { zero: true })
  const pruned = await withStore(context, (_hub, store) => store.change(async tx => tx.prune((await tx.now()) - age)), {
    sweeps: false,
  })
  const { homeOf } = await import('../home.ts')
  const { removeFolders } = await import('../supervisor/folder.ts')
  removeFolders(homeOf(context.env), pruned)
  const { requests, events, runs } = { ...pruned, requests: pruned.requests.length, runs: pruned.runs.length }
  context.stderr.write(`Deleted ${requests} requests, ${events} events and ${runs} runs.\n`)
  if (json) await printJson(context.stdout, { requests, events, runs })
  return exitCodes.fine
}
