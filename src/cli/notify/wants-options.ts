import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { formatDuration } from '../../protocol/duration.ts'
import { invalid } from '../../protocol/errors.ts'
import type { ChangeTargetInput, Target } from '../../protocol/notify.ts'
import type { Severity } from '../../protocol/severity.ts'
import type { Kind } from '../../protocol/status.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { readDuration } from '../durations.ts'
import { repeatable } from '../repeatable.ts'

// The flags that say which requests a target hears of, and when: the same for `notify add` and `notify change`.

export interface WantsOptions {
  kind?: Kind[]
  minSeverity?: Severity
  urgent?: boolean
  after?: string
  quiet?: string
  quietExceptUrgent?: boolean
  timeZone?: string
  project?: string[]
}

export function addWantsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--kind <kind>', 'only requests of this kind (repeatable)')
        .choices(['question', 'dependency', 'approval', 'review'])
        .argParser(repeatable),
    )
    .addOption(
      new Option('--min-severity <severity>', 'only approvals of this severity or above').choices([
        'low',
        'medium',
        'high',
        'critical',
      ]),
    )
    .option('--urgent', 'only what is dangerous, or due within 15 minutes')
    .option('--after <duration>', 'only what nobody answered for this long, such as 10m')
    .option('--project <folder>', 'only requests from this folder, by path or name (repeatable)', repeatable)
    .option('--quiet <hours>', 'messages wait in these hours, such as 22:00-07:00')
    .option('--quiet-except-urgent', 'urgent messages do not wait in quiet hours')
    .option('--time-zone <zone>', 'the time zone of the person, such as Europe/Berlin; this one by default')
}

/** What the flags say; nothing for flags that were not given. */
export async function readWants(options: WantsOptions, cwd: string): Promise<ChangeTargetInput> {
  const { kind, minSeverity, urgent, after, project, timeZone } = options
  const quiet = readQuiet(options)
  return {
    ...(kind ? { kinds: kind } : {}),
    ...(minSeverity ? { minSeverity } : {}),
    ...(urgent ? { urgentOnly: true } : {}),
    ...(after === undefined ? {} : { after: await readDuration(after, 'after') }),
    ...(project ? { projects: project.map(folder => readProject(folder, cwd)) } : {}),
    ...(quiet ? { quiet } : {}),
    ...(timeZone ? { timeZone } : {}),
  }
}

function readQuiet({ quiet, quietExceptUrgent }: WantsOptions): ChangeTargetInput['quiet'] {
  if (quiet === undefined) {
    if (quietExceptUrgent) throw invalid([{ path: 'quiet-except-urgent', message: 'needs --quiet HOURS' }])
    return undefined
  }
  const [, from, to] = /^(\d{1,2}:\d\d)\s*[-–]\s*(\d{1,2}:\d\d)$/.exec(quiet.trim()) ?? []
  if (!from || !to) throw invalid([{ path: 'quiet', message: 'must be two times of day, such as 22:00-07:00' }])
  return { from: from.padStart(5, '0'), to: to.padStart(5, '0'), ...(quietExceptUrgent ? { exceptUrgent: true } : {}) }
}

/** A path, or the name of a folder wherever it is. */
function readProject(folder: string, cwd: string): string {
  return /[\\/]/.test(folder) || /^\.{1,2}$/.test(folder) ? resolve(cwd, folder) : folder
}

/** Says in words which requests a target hears of, and when. */
export function describeWants(target: Target): string {
  const { kinds, minSeverity, urgentOnly, after, projects, quiet, timeZone, events } = target
  return [
    ...(events ? [`${events.join(', ')} of`] : []),
    `${urgentOnly ? 'urgent ' : ''}${kinds?.join(', ') ?? (urgentOnly ? 'requests' : 'everything')}`,
    ...(minSeverity ? [`(approvals: ${minSeverity} and up)`] : []),
    ...(projects ? [`in ${projects.map(harmlessTitle).join(', ')}`] : []),
    ...(after ? [`after ${formatDuration(after)}`] : []),
    ...(quiet ? [`not ${quiet.from}-${quiet.to} ${timeZone}${quiet.exceptUrgent ? ' unless urgent' : ''}`] : []),
  ].join(' ')
}
