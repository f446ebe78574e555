import { hostname } from 'node:os'
import type { Command } from 'commander'
import type { Checkpoint } from '../../../protocol/checkpoint.ts'
import { BeckonError } from '../../../protocol/errors.ts'
import type { HubApi } from '../../../protocol/hub.ts'
import { ageOf } from '../../../text/age.ts'
import { harmlessTitle } from '../../../text/harmless.ts'
import { cut } from '../../../text/width.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../output/exit-codes.ts'
import { print } from '../../output/print.ts'
import { printJson } from '../../output/print-json.ts'
import { formatTable } from '../../output/table.ts'
import { withHub } from '../../with-hub.ts'

interface CheckpointsOptions {
  take?: boolean
  json?: boolean
}

/** A command of `beckon runs`. */
export function registerCheckpoints(runs: Command, context: Context): void {
  runs
    .command('checkpoints')
    .description('list the moments that its files can be brought back to, newest first')
    .argument('<run>', 'the run')
    .option('--take', 'take one now, first')
    .option('--json', 'print { "checkpoints": […] }')
    .addHelpText('after', help)
    .action(async (run: string, options: CheckpointsOptions) => {
      context.exitCode = await checkpoints(context, run, { ...runs.opts(), ...options })
    })
}

function checkpoints(context: Context, run: string, { take, json }: CheckpointsOptions): Promise<number> {
  return withHub(context, async hub => {
    if (take) await takeOne(context, hub, run)
    const checkpoints = await hub.checkpoints.list(run)
    if (json) await printJson(context.stdout, { checkpoints })
    else if (checkpoints.length === 0) context.stderr.write('It has no checkpoints.\n')
    else await print(context.stdout, listOf(checkpoints, context))
    return exitCodes.fine
  })
}

async function takeOne(context: Context, hub: HubApi, id: string): Promise<void> {
  const run = await hub.runs.get(id)
  if (run.host !== hostname()) throw new BeckonError('not_allowed', `${id} runs on ${run.host}. Take it there.`)
  const { homeOf } = await import('../../../system/home.ts')
  const { takeCheckpoint } = await import('../../../supervisor/checkpoint/checkpoint.ts')
  const { runFolder } = await import('../../../supervisor/folder.ts')
  const { logSize } = await import('../../../supervisor/log/reader.ts')
  const { end } = await logSize(runFolder(homeOf(context.env), id).log)
  const [last] = await hub.checkpoints.list(id, { limit: 1 })
  // The environment is known to the one who started it, and does not change.
  const env = Object.fromEntries((last?.environment ?? []).map(name => [name, '']))
  const taken = await takeCheckpoint({ hub, run, reason: 'demand', env, logPosition: end })
  context.stderr.write(`${taken.id} is taken.${taken.note ? ` ${harmlessTitle(taken.note)}` : ''}\n`)
}

function listOf(checkpoints: readonly Checkpoint[], { now, stdout }: Context): string {
  const rows = checkpoints.map(checkpoint => [
    checkpoint.id,
    ageOf(checkpoint.at, now()),
    checkpoint.reason,
    filesOf(checkpoint),
    cut(harmlessTitle(checkpoint.note ?? checkpoint.requests.join(', ')), 200),
  ])
  return formatTable(['ID', 'AGE', 'REASON', 'FILES', 'ABOUT'], rows, stdout)
}

/** `main +`: those of that branch, and something that was not committed. */
function filesOf({ snapshot }: Checkpoint): string {
  if (!snapshot) return '-'
  const place = snapshot.branch ?? snapshot.head?.slice(0, 7) ?? 'no commit'
  return `${cut(harmlessTitle(place), 24)}${snapshot.dirty ? ' +' : ''}`
}

const help = `
FILES names the branch, with a + where something was not committed. A checkpoint without files has a -.

Examples:
  beckon runs checkpoints run_01jz…
  beckon runs checkpoints run_01jz… --take
  beckon restore chk_01jz…`
