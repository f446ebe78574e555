import { hostname } from 'node:os'
import type { Command } from 'commander'
import type { Run } from '../../protocol/run.ts'
import { shortIds } from '../../rules/short-ids.ts'
import { notOwnRun } from '../../system/agent-context.ts'
import { isInsideRun } from '../../system/processes/ancestors.ts'
import { ageOf } from '../../text/age.ts'
import { harmless, harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { cut, pad } from '../../text/width.ts'
import { agentContext } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { lookAfterRuns } from '../run/look-after.ts'
import { IdArgument } from '../short-ids/arguments.ts'
import { withFileSealer, withHub } from '../with-hub.ts'
import { registerCheckpoints } from './runs/checkpoints.ts'
import { registerLogs } from './runs/logs.ts'

export function registerRuns(program: Command, context: Context): void {
  const runs = program
    .command('runs')
    .summary('List the runs, and control them')
    .description('Lists the active runs, newest first. The subcommands show and control one run.')
    .option('--all', 'include runs that have ended')
    .option('--json', 'print { "runs": […] }')
    .addHelpText('after', help)
    .action(async (options: { all?: boolean; json?: boolean }) => {
      context.exitCode = await list(context, options)
    })
  one('show', 'Show a run', 'Shows everything about a run.').option('--json', 'print the run as one JSON document')
  one('pause', 'Pause a run', 'Stops all processes of a run until it is resumed.').option(
    '--json',
    'print the run as one JSON document',
  )
  one('resume', 'Resume a paused run', 'Lets the processes of a paused run continue.').option(
    '--json',
    'print the run as one JSON document',
  )
  one('stop', 'End a run', 'Ends a run and withdraws its open requests.').option(
    '--json',
    'print the run as one JSON document',
  )
  registerCheckpoints(runs, context)
  registerLogs(runs, context)

  function one(verb: string, summary: string, description: string) {
    return runs
      .command(verb)
      .summary(summary)
      .description(description)
      .addArgument(new IdArgument('<run>', 'the id of the run', 'run'))
      .addHelpText('after', `\nExamples:\n  beckon runs ${verb} run_01jz…`)
      .action(async (id: string, options: { json?: boolean }) => {
        context.exitCode = (await verbs[verb]?.(context, id, { ...runs.opts(), ...options })) ?? exitCodes.fine
      })
  }
}

type Verb = (context: Context, id: string, options: { json?: boolean }) => Promise<number>

const verbs: Record<string, Verb> = {
  show: (context, id, { json = false }) =>
    withHub(context, async hub => {
      const unattended = await lookAfterRuns(context, hub)
      const run = await hub.runs.get(id)
      await (json ? printJson(context.stdout, run) : print(context.stdout, formatRun(run, unattended)))
      return exitCodes.fine
    }),
  pause: (context, id, options) => control(context, id, 'pause', options),
  resume: (context, id, options) => control(context, id, 'resume', options),
  stop: (context, id, options) => control(context, id, 'stop', options),
}

async function list(context: Context, { all = false, json = false }: { all?: boolean; json?: boolean }) {
  return withHub(context, async hub => {
    const unattended = await lookAfterRuns(context, hub)
    const runs = await hub.runs.list({ active: !all })
    if (json) await printJson(context.stdout, { runs })
    else if (runs.length === 0) context.stderr.write(`${nothing(all)}\n`)
    else await print(context.stdout, formatRuns(runs, unattended, context))
    return exitCodes.fine
  })
}

function nothing(all: boolean): string {
  return all
    ? 'There are no runs. To start one: beckon run -- COMMAND'
    : 'No runs are active. Ended ones: beckon runs --all'
}

function control(
  context: Context,
  id: string,
  verb: 'pause' | 'resume' | 'stop',
  { json = false }: { json?: boolean },
): Promise<number> {
  return withFileSealer(context, async (hub, sealer) => {
    if (agentContext(context).marker !== null && !isInsideRun(await hub.runs.get(id))) throw notOwnRun(id, verb)
    // Pausing and resuming are rows that a supervisor applies; stopping needs none.
    if (verb !== 'stop') await lookAfterRuns(context, hub)
    const run = await hub.runs[verb](id)
    if (verb === 'stop' && run.host === hostname()) {
      const { endUnattendedRun } = await import('../../supervisor/recovery/end-unattended.ts')
      const { supervisorContext } = await import('../run/context.ts')
      await endUnattendedRun(supervisorContext(context, hub, sealer), run)
    }
    context.stderr.write(`${run.id} is ${run.status}.\n`)
    if (json) await printJson(context.stdout, run)
    return exitCodes.fine
  })
}

const longestReason = 120

function formatRuns(runs: readonly Run[], unattended: Set<string>, { now, stdout }: Context): string {
  const withReason = runs.some(({ reason }) => reason !== null)
  const ids = runs.map(({ id }) => id)
  const shown = stdout.isTTY ? shortIds(ids) : ids
  const rows = runs.map((run, i) => {
    const row = [shown[i] ?? run.id, ageOf(run.startedAt, now()), stateOf(run, unattended), harmlessTitle(run.name)]
    return withReason ? [...row, cut(harmlessTitle(run.reason ?? ''), longestReason)] : row
  })
  return formatTable(['ID', 'AGE', 'STATUS', 'NAME', ...(withReason ? ['REASON'] : [])], rows, stdout)
}

/** A run that nobody looks after may stand still: it does not count as running. */
function stateOf({ id, status, waiting }: Run, unattended: Set<string>): string {
  return [unattended.has(id) ? 'unattended' : status, ...waiting].join(', ')
}

function formatRun(run: Run, unattended: Set<string>): string {
  const fields: [string, string | null][] = [
    ['id', run.id],
    ['name', harmlessTitle(run.name)],
    ['status', stateOf(run, unattended)],
    ['waits for', run.blockedReason && harmlessTitle(run.blockedReason)],
    ['since', run.blockedAt],
    ['command', run.command.map(harmless).join(' ')],
    ['directory', harmlessLines(run.cwd)],
    ['host', harmlessTitle(run.host)],
    ['process', run.pid === null ? null : String(run.pid)],
    ['exit code', run.exitCode === null ? null : String(run.exitCode)],
    ['reason', run.reason && harmlessTitle(run.reason)],
    ['started', run.startedAt],
    ['ended', run.endedAt],
  ]
  return fields.flatMap(([name, value]) => (value ? [`${pad(name, 12)}${value}\n`] : [])).join('')
}

const help = `
Examples:
  beckon runs
  beckon runs --all --json
  beckon runs logs run_01jz… --follow
  beckon runs stop run_01jz…`
