import { type Command, Option } from 'commander'
import type { Plan } from '../../approval/plan.ts'
import { rulesFor } from '../../approval/project-rules.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { ApprovalRequest, Request } from '../../protocol/request.ts'
import { allowByRule } from '../approve/allow-by-rule.ts'
import { refuse } from '../approve/refuse.ts'
import { type AskingOptions, askAndWait, type Ending } from '../asking/ask-and-wait.ts'
import { deliver } from '../asking/deliver.ts'
import type { Context } from '../context.ts'
import { askingExitCodes } from '../output/exit-codes.ts'
import { outcomeDocument } from '../output/outcome-document.ts'
import { printJson } from '../output/print-json.ts'
import { beckonReporter } from '../output/reporter.ts'
import { requireExecutable, runCommand } from '../run-command.ts'

interface ApproveOptions extends AskingOptions {
  json?: boolean
  why?: string
}

export function registerApprove(program: Command, context: Context): void {
  program
    .command('approve')
    .summary('Run a command, after approval where the guard demands it')
    .description(
      'The guard decides: run it, ask a person first, or refuse it. One argument after -- is a command line for a shell, several are a program and its arguments.',
    )
    .usage('[options] -- command...')
    .argument('[command...]', 'the command, after --')
    .option('--why <text>', 'what it is for; a person sees it beside the command')
    .option('--timeout <duration>', 'a deadline for the answer, such as 15m; none unless given')
    .option('--async', 'print the ticket and do not wait; nothing is run')
    .option('--cancel-on-exit', 'withdraw the request when this command ends without an outcome')
    .addOption(
      new Option('--no-human <what>', 'off a terminal: exit 69 and ask nothing, or wait and hand out a ticket').choices(
        ['fail', 'park'],
      ),
    )
    .option('--plain', 'a prompt in plain lines, also where somebody types into a pipe')
    .option('--json', 'print one JSON document; what the command prints goes to stderr')
    .addHelpText('after', help)
    .action(async (words: string[], options: ApproveOptions) => {
      checkCommand(context, words)
      context.exitCode = await approve(context, words, options)
    })
}

async function approve(context: Context, words: readonly string[], options: ApproveOptions): Promise<number> {
  const plan = (await planning()).planFor(context, words, await rulesFor(context, context.cwd))
  const { verdict, allowedBy } = plan.decision
  if (verdict === 'deny') return refuse(context, plan, options.json ?? false)
  const byRule = allowedBy && (await allowByRule(context, plan, allowedBy))
  if (byRule) return run(context, plan, options, byRule)
  if (verdict === 'allow' && allowedBy === null) return run(context, plan, options, null)
  return askAndWait(context, {
    input: { kind: 'approval', takeUp: true, action: plan.action, context: options.why ?? null },
    options,
    reporter: beckonReporter(options.json),
    onSettled: (hub, request) => onSettled(context, hub, request, words, options),
  })
}

/** The world may have changed while a person thought: everything is looked at once more before the yes is spent. */
async function onSettled(
  context: Context,
  hub: HubApi,
  request: Request,
  words: readonly string[],
  options: ApproveOptions,
): Promise<Ending> {
  if (request.status !== 'answered' || request.kind !== 'approval') {
    return deliver(context, hub, request, beckonReporter(options.json))
  }
  const edited = request.outcome?.edited
  if (edited !== undefined) return runEdited(context, hub, request, edited, options)
  const plan = (await planning()).planFor(context, words, [])
  if (plan.digest !== request.action.digest) return askAgain('what it names has changed since it was shown')
  const used = await spend(hub, request.id, plan.digest, plan.command)
  if (!used) return askAgain('that yes was used already, or has lapsed')
  return () => run(context, plan, options, used)

  function askAgain(why: string): Ending {
    context.stderr.write(`beckon: ${why}; asking again.\n`)
    return () => approve(context, words, options)
  }
}

/** A person's own version is judged like any other: what is refused stays refused, whoever wrote it. */
async function runEdited(
  context: Context,
  hub: HubApi,
  request: ApprovalRequest,
  edited: string,
  options: ApproveOptions,
): Promise<Ending> {
  const plan = (await planning()).planFor(context, [edited], await rulesFor(context, context.cwd))
  const careless =
    plan.decision.severity === 'critical' && !['terminal', 'web'].includes(request.outcome?.channel ?? '')
  if (plan.decision.verdict === 'deny' || careless) return refuse(context, plan, options.json ?? false)
  const used = await spend(hub, request.id, request.action.digest, edited)
  if (!used) throw new BeckonError('used', `The yes to ${request.id} was used already, or has lapsed. Ask again.`)
  context.stderr.write('beckon: approved with a change; what runs is not what was proposed.\n')
  return () => run(context, plan, options, used)
}

/** Null when somebody else was first, or it came too late. */
async function spend(hub: HubApi, id: string, digest: string, executed: string): Promise<Request | null> {
  try {
    return (await hub.use(id, { digest, executed })).request
  } catch (error) {
    if (error instanceof BeckonError && (error.code === 'used' || error.code === 'lapsed')) return null
    throw error
  }
}

async function run(
  context: Context,
  { argv, command, decision }: Plan,
  { json = false }: ApproveOptions,
  approved: Request | null,
): Promise<number> {
  const exitCode = await runCommand(withoutStartupFiles(context), argv, {}, { stdoutToStderr: json })
  if (json) {
    const { severity, reasons, safer } = decision
    const outcome = approved ? outcomeDocument(approved) : { id: null, status: 'allowed' }
    await printJson(context.stdout, { ...outcome, severity, reasons, safer, executed: command, exitCode })
  }
  return exitCode
}

/** Bash would read a file of the asker's choice, or functions in place of programs, before the command that was shown. */
function withoutStartupFiles(context: Context): Context {
  const env = Object.entries(context.env).filter(
    ([name]) => !/^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)$/.test(name),
  )
  return { ...context, env: Object.fromEntries(env) }
}

function checkCommand(context: Context, words: readonly string[]): void {
  if (words.length === 0) throw invalid([{ path: 'command', message: 'is missing: write it after --' }])
  if (!context.args.includes('--')) throw invalid([{ path: 'command', message: 'is written after --' }])
  if (words.length > 1) requireExecutable(context, words[0] ?? '')
  else if (words[0]?.trim() === '') throw invalid([{ path: 'command', message: 'is empty' }])
}

/** With the guard and all of its rules, only now: every command starts faster without them. */
function planning() {
  return import('../../approval/plan.ts')
}

const help = `
A yes is for exactly this command, in this directory, with the files that it names as they are; it runs once, and lapses
after 15 minutes. After exit 75 the same command again takes up the open request, or uses its yes.

Examples:
  beckon approve -- npm test
  beckon approve --why "the branch was rebased" -- git push --force-with-lease
  beckon approve -- 'rm -rf build && make'        one argument is read by a shell
${askingExitCodes}
  10 is also what the guard refuses. Else the exit code of the command (128 + n when a signal ended it).`
