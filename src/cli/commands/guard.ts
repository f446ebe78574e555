import type { Command } from 'commander'
import type { Context } from '../context.ts'

interface GuardOptions {
  json?: boolean
  jsonl?: boolean
}

export function registerGuard(program: Command, context: Context): void {
  program
    .command('guard')
    .summary('Judge what a command would do, without running it')
    .description(
      'Looks at a shell command and runs nothing. One argument after -- is a command line, several are its words.',
    )
    .usage('[--json] -- command... | --jsonl')
    .argument('[command...]', 'the command, after --')
    .option('--json', 'print the verdict as JSON')
    .option('--jsonl', 'read lines of {"cmd", "cwd"?} from stdin and print a verdict for each')
    .addHelpText('after', help)
    .action(async (words: string[], options: GuardOptions) => {
      // With all of its rules only now: every command starts faster without them.
      const { judge, judgeLines } = await import('../guard/judge-commands.ts')
      context.exitCode = options.jsonl ? await judgeLines(context) : await judge(context, words, options.json ?? false)
    })
}

const help = `
Examples:
  beckon guard -- 'git push --force origin main'
  beckon guard --json -- rm -rf build
  echo '{"cmd": "rm -rf ~"}' | beckon guard --jsonl

Exit codes:
  0   allow, and always with --jsonl
  1   bad input
  10  ask or deny: a person must see it first`
