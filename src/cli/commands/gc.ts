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
    .summary('Delete old requests, events and runs')
    .description(
      'Deletes requests that were settled, events that happened and runs that ended longer ago than --older-than, with their logs, files and checkpoints.',
    )
    .requiredOption('--older-than <duration>', 'the least age, such as 90d')
    .option('--json', 'print { "requests", "events", "runs", "checkpoints" }: how many of each')
    .addHelpText('after', help)
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
  await deleteFileSnapshots(context, pruned.checkpoints)
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

/** Snapshots are in the repositories, on the machine that took them. */
async function deleteFileSnapshots(
  { stderr }: Context,
  checkpoints: readonly Pruned['checkpoints'][number][],
): Promise<void> {
  const taken = checkpoints.flatMap(({ run, host, snapshot }) => (snapshot ? [{ run, host, root: snapshot.root }] : []))
  const here = taken.filter(({ host }) => host === hostname())
  if (here.length < taken.length) stderr.write('Snapshots on other machines stay in their repositories.\n')
  const snapshots = new Map(here.map(one => [JSON.stringify([one.root, one.run]), one]))
  if (snapshots.size === 0) return
  const { deleteSnapshots } = await import('../../supervisor/git/snapshot.ts')
  for (const { root, run } of snapshots.values()) {
    await deleteSnapshots(root, run).catch(error => {
      stderr.write(
        `beckon: Cannot delete the snapshots in ${harmless(root)}: ${harmlessTitle(String(error.message))}\n`,
      )
    })
  }
}

const help = `
Pending requests are never deleted, nor is anything that a run may resume with. Answers that were never delivered are.

Examples:
  beckon gc --older-than 90d
  beckon gc --older-than 30d --json`
