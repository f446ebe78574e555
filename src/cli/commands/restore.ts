import { hostname } from 'node:os'
import type { Command } from 'commander'
import type { Checkpoint } from '../../protocol/checkpoint.ts'
import type { RestoredCheckpoint } from '../../supervisor/checkpoint/restore-checkpoint.ts'
import { harmless, harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { withHub } from '../with-hub.ts'

interface RestoreOptions {
  force?: boolean
  json?: boolean
}

export function registerRestore(program: Command, context: Context): void {
  program
    .command('restore')
    .summary('bring files back as they were at a checkpoint')
    .description(
      'Brings the files of a run back as they were at a checkpoint. What is there now is kept in another one.',
    )
    .argument('<checkpoint>', 'from: beckon runs checkpoints RUN')
    .option('--force', 'also over work that is in no commit and no checkpoint')
    .option('--json', 'print { "checkpoint", "restored", "removed", "undo" }')
    .addHelpText('after', help)
    .action(async (id: string, options: RestoreOptions) => {
      context.exitCode = await restore(context, id, options)
    })
}

function restore(context: Context, id: string, { force = false, json = false }: RestoreOptions): Promise<number> {
  return withHub(context, async hub => {
    const { restoreCheckpoint } = await import('../../supervisor/checkpoint/restore-checkpoint.ts')
    const checkpoint = await hub.checkpoints.get(id)
    const { holderFile, programFile } = await import('../../system/programs.ts')
    const spare = [holderFile(), programFile('beckon.js'), programFile('ask-user-question.js')]
    const went = await restoreCheckpoint({ hub, checkpoint, host: hostname(), spare, force })
    const { restored, removed, before } = went
    context.stderr.write(textOf(checkpoint, went))
    if (json) await printJson(context.stdout, { checkpoint: id, restored, removed, undo: before?.id ?? null })
    return exitCodes.fine
  })
}

function textOf({ id, snapshot }: Checkpoint, { restored, removed, before }: RestoredCheckpoint): string {
  if (!before) return `All files are as they were at ${id} already.\n`
  const lines = [
    ...some(restored, 'restored'),
    ...some(removed, 'removed'),
    `The files are as they were at ${id}. HEAD and the index are where they were.`,
    ...(before.snapshot?.head === snapshot?.head ? [] : [`Then, HEAD was ${standOf(snapshot)}.`]),
    `To undo it: beckon restore ${before.id}`,
  ]
  return `${lines.join('\n')}\n`
}

const fewEnough = 10

function some(files: readonly string[], what: string): string[] {
  const shown = files.slice(0, fewEnough).map(file => `${what}  ${harmless(file)}`)
  return files.length > fewEnough ? [...shown, `${what}  and ${files.length - fewEnough} more`] : shown
}

function standOf(snapshot: Checkpoint['snapshot']): string {
  const { head = null, branch = null } = snapshot ?? {}
  return [head?.slice(0, 12) ?? 'without a commit', ...(branch === null ? [] : [`on ${harmlessTitle(branch)}`])].join(
    ' ',
  )
}

const help = `
Ignored files, and nested repositories, stay as they are; so do HEAD, branches and the index. While processes of the run
are running it is refused: pause the run, or wait until it waits or has ended.

Examples:
  beckon runs checkpoints run_01jz…
  beckon restore chk_01jz…

Exit codes:
  0   restored, or nothing to do                         4   no such checkpoint, or it has no files
  1   it failed                                          5   not allowed: work would be lost, the run is running,
                                                             or this is an agent's shell`
