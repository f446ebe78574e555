import { type Command, Option } from 'commander'
import type { AskInput } from '../../protocol/ask.ts'
import { limits } from '../../protocol/limits.ts'
import { type Category, categories, type OnTimeout, onTimeouts } from '../../protocol/status.ts'
import { type AskingOptions, askAndWait } from '../asking/ask-and-wait.ts'
import { attachedFiles } from '../asking/attached-files.ts'
import { addAskingOptions } from '../asking/options.ts'
import type { Context } from '../context.ts'
import { askingExitCodes } from '../output/exit-codes.ts'
import { beckonReporter } from '../output/reporter.ts'
import { readText } from '../read-text.ts'
import { repeatable } from '../repeatable.ts'

interface AskOptions extends AskingOptions {
  json?: boolean
  header?: string
  option?: string[]
  multi?: boolean
  other?: boolean
  default?: string[]
  category?: Category
  context?: string
  attach?: string[]
  callbackUrl?: string
  onTimeout?: OnTimeout
}

export function registerAsk(program: Command, context: Context): void {
  const command = program
    .command('ask')
    .summary('Ask a person a question and print the answer')
    .description('Asks a person a question, waits for the answer, and prints it.')
    .argument('<text>', 'the question')
    .option('--header <header>', 'a short title, such as "Database"')
    .option(
      '--option <label[=description]>',
      'an option to choose from (repeatable); write \\= for a = in a label',
      repeatable,
    )
    .option('--multi', 'let the person choose several options')
    .option('--other', 'accept text besides the options')
    .option(
      '--default <value>',
      'the value of Enter, of a skip and of the deadline (repeatable with --multi)',
      repeatable,
    )
    .addOption(new Option('--category <category>', 'the kind of question').choices(categories))
    .option('--context <file>', 'Markdown that helps the person decide; - reads stdin')
    .option('--attach <file>', 'a picture or another file to show with the question (repeatable)', repeatable)
    .option(
      '--callback-url <url>',
      'an https:// address to call when it is settled; its host must be on the list of the server',
    )
    .addOption(new Option('--on-timeout <what>', 'what to do at the deadline').choices(onTimeouts))
  addAskingOptions(command)
    .addHelpText('after', help)
    .action(async (text: string, options: AskOptions) => {
      context.exitCode = await ask(context, text, options)
    })
}

async function ask(context: Context, text: string, options: AskOptions): Promise<number> {
  const { default: defaults, multi = false } = options
  const input: AskInput = {
    questions: [
      {
        question: text,
        header: options.header ?? null,
        category: options.category ?? null,
        options: (options.option ?? []).map(readOption),
        multiSelect: multi,
        ...(options.other ? { allowOther: true } : {}),
        default: defaults?.length === 1 && !multi ? (defaults[0] ?? null) : (defaults ?? null),
      },
    ],
    context: options.context === undefined ? null : await readText(context, options.context, 'context', limits.context),
    onTimeout: options.onTimeout ?? null,
    callbackUrl: options.callbackUrl ?? null,
    attachments: await attachedFiles(context, options.attach ?? []),
  }
  const onlyReminds = options.timeout !== undefined && !options.optional && options.onTimeout === undefined
  return askAndWait(context, {
    input,
    hint: onlyReminds ? howToEndTheWait : null,
    options,
    reporter: beckonReporter(options.json),
    stdinIsFree: options.context !== '-',
  })
}

const howToEndTheWait =
  'An answer is required, so --timeout only reminds. To end the wait, add --on-timeout fail, or --default VALUE --on-timeout default.'

/** `LABEL=DESCRIPTION`, split at the first `=` that is not written `\=`. */
function readOption(source: string): { label: string; description: string } {
  const split = /(?<!\\)=/.exec(source)?.index ?? source.length
  return { label: source.slice(0, split).replaceAll('\\=', '='), description: source.slice(split + 1) }
}

const help = `
On a terminal, the question appears right there, and can be answered from elsewhere at the same time. Off a terminal,
the command waits (--wait or BECKON_WAIT, default 100s), prints a ticket and exits 75; the request stays open.

Examples:
  beckon ask "Ship it?" --option yes --option no
  name=$(beckon ask "What should the package be called?")
  beckon ask "Deploy?" --option yes --option no --wait 30m || echo "no answer: $?"
  beckon ask "Which database?" --option "SQLite=one file" --option "PostgreSQL=a server" --default SQLite --optional
  beckon ask "Is this layout right?" --option yes --option no --attach before.png --attach after.png
  git diff | beckon ask "Commit this?" --option yes --option no --context - --key commit-42 --json
${askingExitCodes}`
