import type { Command } from 'commander'
import { withGuardSetting } from '../../approval/guard-setting.ts'
import type { Context } from '../context.ts'

interface GuardOptions {
  json?: boolean
  explain?: boolean
  jsonl?: boolean
  look?: boolean
  strict?: boolean
}

export function registerGuard(program: Command, context: Context): void {
  program
    .command('guard')
    .summary('Judge what a command would do, without running it')
    .description(
      'Judges a shell command without running it. One argument after -- is a command line for a shell; several are a program and its arguments.',
    )
    .usage('[--look] [--strict] [--json] [--explain] -- command... | [--look] [--strict] --jsonl')
    .argument('[command...]', 'the command, after --')
    .option('--json', 'print the verdict as JSON')
    .option('--explain', 'show each program that would start, where, and what the rules say about it')
    .option('--jsonl', 'read lines of {"cmd", "cwd"?} from stdin and print a verdict for each')
    .option('--look', 'also look inside the scripts of the workspace that the command runs')
    .option('--strict', 'ask about every recursive or forced delete, also of node_modules')
    .addHelpText('after', help)
    .action(async (words: string[], options: GuardOptions) => {
      // The guard and all its rules take time to load: every other command starts without them.
      const { judgeCommand, judgeLines } = await import('../guard/judge-commands.ts')
      const judging = options.strict ? { ...context, env: withGuardSetting(context.env, true) } : context
      context.exitCode = options.jsonl
        ? await judgeLines(judging, options)
        : await judgeCommand(judging, words, options)
    })
}

const help = `
Examples:
  beckon guard -- 'git push --force origin main'
  beckon guard --json -- rm -rf build
  beckon guard --explain -- 'cd app && sudo git push --force | tee log'
  beckon guard --look -- npm run clean
  beckon guard --strict -- rm -rf node_modules
  echo '{"cmd": "rm -rf ~"}' | beckon guard --jsonl

BECKON_GUARD=strict, or "strict": true in .beckon/rules.json, does the same as --strict.

Exit codes:
  0   allow, and always with --jsonl
  1   bad input
  10  ask or deny: a person must see it first, or it is refused`
