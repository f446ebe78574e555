import type { Command } from 'commander'
import type { Reclaimed } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import type { Deleted } from '../gc/delete-old.ts'
import { interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { withStore } from '../with-hub.ts'

interface GcOptions {
  olderThan: string
  compact?: boolean
  json?: boolean
}

export function registerGc(program: Command, context: Context): void {
  program
    .command('gc')
    .summary('Delete old requests, events and runs')
    .description(
      'Deletes requests that were settled and runs that ended longer ago than --older-than, with their events, logs, files and checkpoints, and gives the space back.',
    )
    .requiredOption('--older-than <duration>', 'the least age, such as 90d')
    .option('--compact', 'rewrite a SQLite file of an earlier version so that it can shrink; others wait meanwhile')
    .option('--json', 'print { "requests", "events", "runs", "checkpoints", "freed" }: how many of each, and the bytes')
    .addHelpText('after', help)
    .action(async (options: GcOptions) => {
      context.exitCode = await gc(context, options)
    })
}

async function gc(context: Context, { olderThan, compact = false, json = false }: GcOptions): Promise<number> {
  const age = await readDuration(olderThan, 'older-than', { zero: true })
  const { homeOf } = await import('../../system/home.ts')
  const { deleteOld } = await import('../gc/delete-old.ts')
  const interrupted = interruption()
  const progress = createProgress(context)
  const { signal } = interrupted
  const { deleted, space } = await withStore(
    context,
    (_hub, store) =>
      deleteOld({
        store,
        home: homeOf(context.env),
        age,
        signal,
        rewrite: compact,
        onProgress: progress.show,
        warn: text => progress.print(`beckon: ${text}`),
      }),
    { sweeps: false },
  ).finally(interrupted.release)
  progress.print(`Deleted ${describe(deleted)}.${describeSpace(space)}`)
  if (signal.aborted) progress.print('Stopped before the end. The same command again deletes the rest.')
  if (json) await printJson(context.stdout, { ...deleted, freed: space.freed })
  return signal.aborted ? exitCodes.invalid : exitCodes.fine
}

/** One line on a terminal that counts, replaced by whatever is printed next. */
function createProgress({ stderr }: Context) {
  let isShown = false
  return { show, print }

  function show(deleted: Deleted) {
    if (!stderr.isTTY) return
    isShown = true
    stderr.write(`\r${describe(deleted)}…\x1b[K`)
  }

  function print(text: string) {
    stderr.write(`${isShown ? '\r\x1b[K' : ''}${text}\n`)
    isShown = false
  }
}

function describe({ requests, events, runs, checkpoints }: Deleted): string {
  return `${requests} requests, ${events} events, ${runs} runs and ${checkpoints} checkpoints`
}

function describeSpace({ freed, reusable }: Reclaimed): string {
  const given = freed >= 1e5 ? ` ${megabytes(freed)} went back to the disk.` : ''
  const waits =
    reusable !== null && reusable >= 1e6
      ? ` ${megabytes(reusable)} are free inside the file, for what is stored next; --compact gives them back.`
      : ''
  return given + waits
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

const help = `
Pending requests are never deleted, nor is anything that a run may resume with. Answers that were never delivered are.
It works in small steps, so that others can go on asking and answering; Ctrl-C stops it between two of them.
Whoever follows events from before what is left is told so.

Examples:
  beckon gc --older-than 90d
  beckon gc --older-than 30d --json`
