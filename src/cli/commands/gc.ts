import { hostname } from 'node:os'
import type { Command } from 'commander'
import type { Pruned } from '../../store/store.ts'
import { harmless, harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { withStore } from '../with-hub.ts'

interface GcOptions {
  olderThan: string
  json?: boolean
}

export function registerGc(program: Command, context: Context): void {
  program
    .command('gc')
    .summary('delete what was settled long ago')
    .description(
      'Deletes requests that were settled, events that happened, and runs that ended longer ago than that, with their logs, files and checkpoints.',
    )
    .requiredOption('--older-than <duration>', 'such as 90d')
    .option('--json', 'print { "requests", "events", "runs", "checkpoints" }: how many of each')
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
  const { homeOf } = await import('../../system/home.ts')
  const { removeFolders } = await import('../../supervisor/folder.ts')
  removeFolders(homeOf(context.env), pruned)
  await forgetFiles(context, pruned.checkpoints)
  const { requests, events, runs, checkpoints } = {
    requests: pruned.requests.length,
    events: pruned.events,
    runs: pruned.runs.length,
    checkpoints: pruned.checkpoints.length,
  }
  const counts = `${requests} requests, ${events} events, ${runs} runs and ${checkpoints} checkpoints`
  context.stderr.write(`Deleted ${counts}.\n`)
  if (json) await printJson(context.stdout, { requests, events, runs, checkpoints })
  return exitCodes.fine
}

/** The snapshots lie in the repositories, on the machine that took them. */
async function forgetFiles({ stderr }: Context, checkpoints: readonly Pruned['checkpoints'][number][]): Promise<void> {
  const taken = checkpoints.flatMap(({ run, host, snapshot }) => (snapshot ? [{ run, host, root: snapshot.root }] : []))
  const here = taken.filter(({ host }) => host === hostname())
  if (here.length < taken.length) stderr.write('Snapshots of files on other machines stay in their repositories.\n')
  const places = new Map(here.map(place => [JSON.stringify([place.root, place.run]), place]))
  if (places.size === 0) return
  const { deleteSnapshots } = await import('../../supervisor/git/snapshot.ts')
  for (const { root, run } of places.values()) {
    await deleteSnapshots(root, run).catch(error => {
      stderr.write(`beckon: snapshots stay in ${harmless(root)}: ${harmlessTitle(String(error.message))}\n`)
    })
  }
}
