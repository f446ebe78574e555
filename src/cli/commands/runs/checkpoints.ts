import { hostname } from 'node:os'
import type { Command } from 'commander'
import type { Checkpoint } from '../../../protocol/checkpoint.ts'
import { BeckonError } from '../../../protocol/errors.ts'
import type { HubApi } from '../../../protocol/hub.ts'
import { shortIds } from '../../../rules/short-ids.ts'
import { ageOf } from '../../../text/age.ts'
import { harmlessTitle } from '../../../text/harmless.ts'
import { cut } from '../../../text/width.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../output/exit-codes.ts'
import { print } from '../../output/print.ts'
import { printJson } from '../../output/print-json.ts'
import { formatTable } from '../../output/table.ts'
import { IdArgument } from '../../short-ids/arguments.ts'
import { withHub } from '../../with-hub.ts'

interface CheckpointsOptions {
  take?: boolean
  json?: boolean
}

/** A command of `beckon runs`. */
export function registerCheckpoints(runs: Command, context: Context): void {
  runs
    .command('checkpoints')
    .summary('List the checkpoints of a run')
    .description('Lists the checkpoints of a run, newest first. Its files can be restored from them.')
    .addArgument(new IdArgument('<run>', 'the id of the run', 'run'))
    .option('--take', 'take a new checkpoint first')
    .option('--json', 'print { "checkpoints": […] }')
    .addHelpText('after', help)
    .action(async (run: string, options: CheckpointsOptions) => {
      context.exitCode = await checkpoints(context, run, { ...runs.opts(), ...options })
    })
}

function checkpoints(context: Context, run: string, { take, json }: CheckpointsOptions): Promise<number> {
  return withHub(context, async hub => {
    if (take) await takeNew(context, hub, run)
    const checkpoints = await hub.checkpoints.list(run)
    if (json) await printJson(context.stdout, { checkpoints })
    else if (checkpoints.length === 0) context.stderr.write('The run has no checkpoints.\n')
    else await print(context.stdout, formatCheckpoints(checkpoints, context))
    return exitCodes.fine
  })
}

async function takeNew(context: Context, hub: HubApi, id: string): Promise<void> {
  const run = await hub.runs.get(id)
  if (run.host !== hostname())
    throw new BeckonError('not_allowed', `${id} runs on ${run.host}. Take the checkpoint there.`)
  const { homeOf } = await import('../../../system/home.ts')
  const { takeCheckpoint } = await import('../../../supervisor/checkpoint/checkpoint.ts')
  const { runFolder } = await import('../../../supervisor/folder.ts')
  const { logSize } = await import('../../../supervisor/log/reader.ts')
  const { end } = await logSize(runFolder(homeOf(context.env), id).log)
  const [last] = await hub.checkpoints.list(id, { limit: 1 })
  // Only the supervisor knows the environment of the run, and it does not change.
  const env = Object.fromEntries((last?.environment ?? []).map(name => [name, '']))
  const taken = await takeCheckpoint({ hub, run, reason: 'demand', env, logPosition: end })
  context.stderr.write(`Took ${taken.id}.${taken.note ? ` ${harmlessTitle(taken.note)}` : ''}\n`)
}

function formatCheckpoints(checkpoints: readonly Checkpoint[], { now, stdout }: Context): string {
  const ids = checkpoints.map(({ id }) => id)
  const shown = stdout.isTTY ? shortIds(ids) : ids
  const rows = checkpoints.map((checkpoint, i) => [
    shown[i] ?? checkpoint.id,
    ageOf(checkpoint.at, now()),
    checkpoint.reason,
    formatFiles(checkpoint),
    cut(harmlessTitle(checkpoint.note ?? checkpoint.requests.join(', ')), 200),
  ])
  return formatTable(['ID', 'AGE', 'REASON', 'FILES', 'ABOUT'], rows, stdout)
}

/** `main +`: the files of that branch, with changes that were not committed. */
function formatFiles({ snapshot }: Checkpoint): string {
  if (!snapshot) return '-'
  const head = snapshot.branch ?? snapshot.head?.slice(0, 7) ?? 'no commit'
  return `${cut(harmlessTitle(head), 24)}${snapshot.dirty ? ' +' : ''}`
}

const help = `
FILES names the branch, with a + when there were uncommitted changes. A checkpoint without files has a -.

Examples:
  beckon runs checkpoints run_01jz…
  beckon runs checkpoints run_01jz… --take
  beckon restore chk_01jz…`
