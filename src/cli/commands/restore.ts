import type { Command } from 'commander'
import type { Checkpoint } from '../../protocol/checkpoint.ts'
import type { RestoredCheckpoint } from '../../supervisor/checkpoint/restore-checkpoint.ts'
import { harmless, harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { IdArgument } from '../short-ids/arguments.ts'
import { withHub } from '../with-hub.ts'

interface RestoreOptions {
  force?: boolean
  json?: boolean
}

export function registerRestore(program: Command, context: Context): void {
  program
    .command('restore')
    .summary('Restore files from a checkpoint')
    .description(
      'Restores the files of a run as they were at a checkpoint. The current files are saved in a new checkpoint first.',
    )
    .addArgument(new IdArgument('<checkpoint>', 'an id from: beckon runs checkpoints RUN', 'checkpoint'))
    .option('--force', 'overwrite work that somebody did after the run, and that is in no commit and no checkpoint')
    .option('--json', 'print { "checkpoint", "restored", "removed", "undo" }')
    .addHelpText('after', help)
    .action(async (id: string, options: RestoreOptions) => {
      context.exitCode = await restore(context, id, options)
    })
}

function restore(context: Context, id: string, { force = false, json = false }: RestoreOptions): Promise<number> {
  return withHub(context, async hub => {
    const { restoreHere } = await import('../restore/restorer.ts')
    const checkpoint = await hub.checkpoints.get(id)
    const went = await restoreHere(hub, checkpoint, { force })
    const { restored, removed, before } = went
    context.stderr.write(formatRestored(checkpoint, went))
    if (json) await printJson(context.stdout, { checkpoint: id, restored, removed, undo: before?.id ?? null })
    return exitCodes.fine
  })
}

function formatRestored({ id, snapshot }: Checkpoint, { restored, removed, before }: RestoredCheckpoint): string {
  if (!before) return `The files are already as they were at ${id}.\n`
  const lines = [
    ...listFew(restored, 'restored'),
    ...listFew(removed, 'removed'),
    `The files are as they were at ${id}. HEAD and the index are unchanged.`,
    ...(before.snapshot?.head === snapshot?.head ? [] : [`At the checkpoint, HEAD was ${formatHead(snapshot)}.`]),
    `To undo this: beckon restore ${before.id}`,
  ]
  return `${lines.join('\n')}\n`
}

const mostFiles = 10

function listFew(files: readonly string[], what: string): string[] {
  const shown = files.slice(0, mostFiles).map(file => `${what}  ${harmless(file)}`)
  return files.length > mostFiles ? [...shown, `${what}  and ${files.length - mostFiles} more`] : shown
}

function formatHead(snapshot: Checkpoint['snapshot']): string {
  const { head = null, branch = null } = snapshot ?? {}
  return [head?.slice(0, 12) ?? 'without a commit', ...(branch === null ? [] : [`on ${harmlessTitle(branch)}`])].join(
    ' ',
  )
}

const help = `
Ignored files and nested repositories stay as they are, and so do HEAD, branches and the index. The command refuses
while processes of the run are running: pause the run, or wait until it waits or ends.

Examples:
  beckon runs checkpoints run_01jz…
  beckon restore chk_01jz…

Exit codes:
  0   restored, or nothing to restore                    4   no such checkpoint, or one without files
  1   it failed                                          5   not allowed: work would be lost, the run is running,
                                                             or this is an agent's shell`
