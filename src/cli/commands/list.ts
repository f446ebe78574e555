import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ListFilter } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { type Kind, kinds, type Status, statuses } from '../../protocol/status.ts'
import { shortDueText } from '../../terminal/due-text.ts'
import { ageOf } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { formatTable } from '../output/table.ts'
import { lookAfterRuns } from '../run/look-after.ts'
import { IdOption } from '../short-ids/arguments.ts'
import { withHub } from '../with-hub.ts'

interface ListOptions {
  all?: boolean
  status?: Status
  run?: string
  kind?: Kind
  limit: number
  after?: string
  json?: boolean
}

export function registerList(program: Command, context: Context): void {
  program
    .command('list')
    .summary('List the requests that wait for a person')
    .description('Lists the requests that wait for a person, oldest first.')
    .addOption(new Option('--all', 'include settled requests'))
    .addOption(new Option('--status <status>', 'only requests with this status').choices(statuses))
    .addOption(new IdOption('--run <run>', 'only requests of this run'))
    .addOption(new Option('--kind <kind>', 'only requests of this kind').choices(kinds))
    .option('--limit <number>', 'how many to print, up to 1000', readLimit, 100)
    .option('--after <id>', 'the next page: requests after this cursor')
    .option('--json', 'print { "requests": […], "next": null | cursor }')
    .addHelpText('after', help)
    .action(async (options: ListOptions) => {
      context.exitCode = await list(context, options)
    })
}

function list(context: Context, options: ListOptions): Promise<number> {
  const { all = false, status, run, kind, limit, after } = options
  return withHub(context, async hub => {
    const filter: ListFilter = {
      status: status ?? (all ? 'all' : 'pending'),
      limit,
      ...(run === undefined ? {} : { run }),
      ...(kind === undefined ? {} : { kind }),
      ...(after === undefined ? {} : { after }),
    }
    await lookAfterRuns(context, hub)
    let page = await hub.list(filter)
    // A page can be empty while a later one is not: the hub looks through a limited number of requests per call.
    while (page.requests.length === 0 && page.next !== null) page = await hub.list({ ...filter, after: page.next })
    if (options.json) {
      await printJson(context.stdout, { requests: page.requests, next: page.next })
      return exitCodes.fine
    }
    await printTable(context, page.requests, all || status !== undefined)
    if (page.requests.length === 0) context.stderr.write(`${nothing(all || status !== undefined)}\n`)
    if (page.next) context.stderr.write(`There are more. Next page: beckon list --after ${page.next}\n`)
    return exitCodes.fine
  })
}

function nothing(isHistory: boolean): string {
  return isHistory ? 'There are no such requests.' : 'No requests are waiting. Settled ones: beckon list --all'
}

async function printTable(context: Context, requests: readonly Request[], withStatus: boolean): Promise<void> {
  if (requests.length === 0) return
  const { titleOf } = await import('../../rules/title.ts')
  const { shortSessions } = await import('../../rules/asker.ts')
  const due = requests.map(request => shortDueText(request, context.now()))
  const withDue = due.some(text => text !== '')
  const short = shortSessions(requests.map(({ session }) => session))
  const withSession = requests.some(({ session }) => session)
  const head = [
    ...['ID', 'AGE', ...(withDue ? ['DUE'] : []), 'KIND', ...(withStatus ? ['STATUS'] : [])],
    ...['AGENT', ...(withSession ? ['SESSION'] : []), 'TITLE'],
  ]
  const { shortIds } = await import('../../rules/short-ids.ts')
  const ids = requests.map(({ id }) => id)
  // People type them; programs read whole ones.
  const shown = context.stdout.isTTY ? shortIds(ids) : ids
  const rows = requests.map((request, i) => [
    shown[i] ?? request.id,
    ageOf(request.createdAt, context.now()),
    ...(withDue ? [due[i] ?? ''] : []),
    request.kind,
    ...(withStatus ? [request.status] : []),
    cut(harmlessTitle(request.agent.name), 24),
    ...(withSession ? [cut(harmlessTitle(request.session ? short(request.session) : ''), 24)] : []),
    cut(harmlessTitle(titleOf(request)), 200),
  ])
  await print(context.stdout, formatTable(head, rows, context.stdout))
}

function readLimit(source: string): number {
  const limit = Number(source)
  if (/^\d+$/.test(source) && limit >= 1 && limit <= 1_000) return limit
  throw new InvalidArgumentError('Give a number from 1 to 1000.')
}

const help = `
Examples:
  beckon list
  beckon list --all --kind dependency
  beckon list --json | jq -r '.requests[].id'`
