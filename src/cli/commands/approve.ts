import { type Command, Option } from 'commander'
import { withGuardSetting } from '../../approval/guard-setting.ts'
import { invalid } from '../../protocol/errors.ts'
import type { ApproveOptions } from '../approve/approve.ts'
import type { Context } from '../context.ts'
import { askingExitCodes } from '../output/exit-codes.ts'
import { IdOption } from '../short-ids/arguments.ts'
import { requireExecutable } from '../spawn-command.ts'

export function registerApprove(program: Command, context: Context): void {
  program
    .command('approve')
    .summary('Run a command, after approval where the guard demands it')
    .description(
      'Runs a command once the guard allows it or a person approves it. One argument after -- is a command line for a shell; several are a program and its arguments.',
    )
    .usage('[options] -- command... | --resume <id>')
    .argument('[command...]', 'the command, after --')
    .addOption(
      new IdOption(
        '--resume <id>',
        'go on with an approval that was asked before, where it was asked',
        'request',
      ).conflicts([...['why', 'timeout', 'async', 'human']]),
    )
    .option('--strict', 'ask about every recursive or forced delete, also of node_modules')
    .option('--why <text>', 'what it is for; a person sees it beside the command')
    .option('--timeout <duration>', 'a deadline for the answer, such as 15m; by default none')
    .option('--wait <duration>', 'off a terminal, how long to wait before exit code 75 (default: BECKON_WAIT, or 100s)')
    .option('--async', 'where a person must be asked, print the ticket and do not wait')
    .option('--cancel-on-exit', 'withdraw the request when this command ends without an outcome')
    .addOption(
      new Option('--no-human <what>', 'off a terminal: exit 69 and ask nothing, or wait and hand out a ticket').choices(
        ['fail', 'park'],
      ),
    )
    .option('--plain', 'prompt in plain lines, also where a person types into a pipe')
    .option('--json', 'print one JSON document; what the command prints goes to stderr')
    .addHelpText('after', help)
    .action(async (words: string[], options: ApproveOptions & { resume?: string; strict?: boolean }) => {
      const strict = options.strict ? { ...context, env: withGuardSetting(context.env, true) } : context
      // The guard and all its rules take time to load: every other command starts without them.
      if (options.resume !== undefined) {
        checkNoCommand(words)
        const { resumeApproval } = await import('../approve/resume.ts')
        context.exitCode = await resumeApproval(strict, options.resume, options)
        return
      }
      checkCommand(context, words)
      const { approve } = await import('../approve/approve.ts')
      context.exitCode = await approve(strict, words, options)
    })
}

function checkNoCommand(words: readonly string[]): void {
  if (words.length === 0) return
  throw invalid([{ path: '', message: '--resume runs the command that was approved, and takes no other' }])
}

function checkCommand(context: Context, words: readonly string[]): void {
  if (words.length === 0) throw invalid([{ path: 'command', message: 'is missing: write it after --' }])
  if (!context.args.includes('--')) throw invalid([{ path: 'command', message: 'must be written after --' }])
  if (words.length > 1) requireExecutable(context, words[0] ?? '')
  else if (words[0]?.trim() === '') throw invalid([{ path: 'command', message: 'is empty' }])
}

const help = `
A yes is for exactly this command, in this directory, with the files that it names and the environment that steers it
as they are. It runs the command once, and lapses after 15 minutes. After exit 75, --resume with the id of the ticket
takes up the open request or uses its yes, in the directory it was asked in; so does the same command again.

Examples:
  beckon approve -- npm test
  beckon approve --why "the branch was rebased" -- git push --force-with-lease
  beckon approve -- 'rm -rf build && make'        a shell reads a single argument
  beckon approve --resume req_01jz…               after exit 75, or after "beckon wait" exited 14
${askingExitCodes}
  10 also means that the guard refused. Otherwise the exit code is the command's own (128 + n after signal n).`
